// Nothing secret is on the page for operators: no password, header, key or file that settings name, and nothing
// that clients have asked for.

import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { makeDatabase } from '../kit/postgres/database.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { type Looked, look, plain, sectionOf } from './look.ts'

const SECRET = 'Zq7xJv9kWm'
/** Not even half of it may be seen, in whatever case. */
const HALVES = [SECRET.slice(0, 5), SECRET.slice(5)]

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const expectHidden = ({ body, headers }: Looked) => {
  const shown = (body + JSON.stringify(headers)).toLowerCase()
  for (const half of HALVES) if (shown.includes(half.toLowerCase())) expect(plain(body)).toBe('hidden')
}

/** What clients tell of themselves and ask for. */
async function askAll(url: string): Promise<void> {
  const headers = {
    Referer: `https://portal.example/${SECRET}?${SECRET}`,
    Cookie: SECRET,
    Authorization: `Bearer ${SECRET}`,
    'X-Forwarded-For': '203.0.113.77',
    'X-Request-Id': SECRET,
    'User-Agent': 'Widget/1.0',
  }
  const queries = [
    '/?Event=ProfileLookup&Users=1',
    `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${SECRET}`,
    `/?Event=ProfileLookup&Users=${SECRET}`,
    ...['Event', 'Format', 'Users', SECRET].map((name) => `/?Event=ProfileLookup&Users=1&${name}=${SECRET}`),
    `/?Event=${SECRET}`,
    `/${SECRET}?${SECRET}`,
    `/graphql?query=${encodeURIComponent(`{ users(by: USERNAME, values: ["${SECRET}"]) { username } }`)}`,
    `/graphql?query=${encodeURIComponent(`{ ${SECRET} }`)}`,
  ]
  for (const query of queries) await (await fetch(url + query, { headers })).arrayBuffer()
}

/** An old service that answers otherwise. */
async function startOther() {
  const other = await startAnswering((_, response) => void response.end(`{"1":{"Id":1,"X":"${SECRET}"}}`))
  onTestFinished(other.close)
  return other.url.replace('//', `//app:${SECRET}@`)
}

test('over PostgreSQL, with secrets in each setting that can have one, while all is well and when it is gone', async () => {
  const database = await makeDatabase()
  const [url, replica] = ['', '?application_name=other'].map((end) => {
    const withLogin = new URL(database.url)
    withLogin.password = SECRET
    return withLogin.href + end
  })
  const old = await startOther()
  place.write('headers.txt', `X-Key: ${SECRET}`)
  place.write('documents.json', JSON.stringify({ [SECRET]: `{ users(values: ["${SECRET}"]) { id } }` }))
  const env = {
    DATABASE_URL: url ?? '',
    DATABASE_REPLICA_URLS: replica ?? '',
    SHADOW_URL: old,
    SHADOW_HEADERS: `X-Key: ${SECRET}`,
    SHADOW_SAMPLE: '1',
    CUTOVER_URL: old,
    CUTOVER_HEADERS_FILE: 'headers.txt',
    CUTOVER_SHARE: '1',
    CUTOVER_GUARD: '0',
    GRAPHQL_DOCUMENTS: 'documents.json',
    LEGACY_SUNSET_LINK: `https://me:${SECRET}@old.example/end?token=${SECRET}`,
    LEGACY_UNKNOWN: 'null',
    TRUSTED_PROXIES: 'loopback',
    LOG_LEVEL: 'silent',
  }
  expect((await place.run(['migrate'], { env: { DATABASE_URL: env.DATABASE_URL } })).status).toBe(0)
  const serving = await serve({ cwd: place.path, env })
  await askAll(originOf(serving.shown['Legacy JSON']))
  const at = async () => look(serving, { path: '/?refresh=off' })
  // All sections are there.
  await expect
    .poll(async () => sectionOf((await at()).body, 'Compared with the old service'))
    .toMatch(/\d+ of \d+ compared/)
  const page = await at()
  for (const title of ['The dial', 'Database servers', 'Errors'])
    expect(sectionOf(page.body, title), title).not.toBe('')
  expectHidden(page)
  expect(page.body).not.toContain('203.0.113.77')
  await database.remove()
  await expect.poll(async () => plain((await at()).body), { timeout: 20_000 }).toContain('Not ready')
  await askAll(originOf(serving.shown['Legacy JSON']))
  expectHidden(await at())
})

test('over an old service with a login and headers, whether it answers or not', async () => {
  const other = await startAnswering((_, response) => void response.end('{}'))
  const env = {
    DATABASE_URL: other.url.replace('//', `//app:${SECRET}@`),
    DATABASE_HEADERS: `X-Key: ${SECRET}`,
    LOG_LEVEL: 'silent',
  }
  const serving = await serve({ cwd: place.path, env })
  await askAll(originOf(serving.shown['Legacy JSON']))
  const well = await look(serving)
  expect(plain(well.body)).toContain('Data: the old service at http://')
  expectHidden(well)
  other.close()
  await askAll(originOf(serving.shown['Legacy JSON']))
  await expect.poll(async () => plain((await look(serving)).body), { timeout: 20_000 }).toContain('Not ready')
  expectHidden(await look(serving))
})
