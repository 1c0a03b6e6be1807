// Nothing secret is on the page for operators: no password, header, key or file of a setting, and nothing
// that clients have sent. broken.faults.test.ts has the password of a database.

import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { type Looked, look, plain, sectionOf } from './look.ts'
import { test } from './serving.ts'

const SECRET = 'Zq7xJv9kWm'
/** Not even half of it may be seen, in whatever case. */
const HALVES = [SECRET.slice(0, 5), SECRET.slice(5)]

const expectHidden = ({ body, headers }: Looked) => {
  const shown = (body + JSON.stringify(headers)).toLowerCase()
  for (const half of HALVES) if (shown.includes(half.toLowerCase())) expect(plain(body)).toBe('hidden')
  expect(shown).not.toContain('203.0.113.77')
}

/** Sends the secret wherever a client can. */
async function sendAll(url: string): Promise<void> {
  const headers = {
    ...{ Cookie: SECRET, Authorization: `Bearer ${SECRET}`, 'X-Request-Id': SECRET },
    ...{ Referer: `https://portal.example/${SECRET}?${SECRET}`, 'X-Forwarded-For': '203.0.113.77' },
  }
  const graphql = (query: string) => `/graphql?query=${encodeURIComponent(query)}`
  for (const target of [
    '/?Event=ProfileLookup&Users=1',
    `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${SECRET}`,
    `/?Event=ProfileLookup&Users=${SECRET}`,
    ...['Event', 'Format', 'Users', SECRET].map((name) => `/?Event=ProfileLookup&Users=1&${name}=${SECRET}`),
    `/?Event=${SECRET}`,
    `/${SECRET}?${SECRET}`,
    graphql(`{ users(by: USERNAME, values: ["${SECRET}"]) { username } }`),
    graphql(`{ ${SECRET} }`),
  ])
    await (await fetch(url + target, { headers })).arrayBuffer()
}

/** The address of an old service with a login, whose responses differ from the gateway's. */
async function startOld() {
  const old = await startAnswering((_, response) => void response.end(`{"1":{"Id":1,"X":"${SECRET}"}}`))
  onTestFinished(old.close)
  return { url: old.url.replace('//', `//app:${SECRET}@`), close: old.close }
}

test('a secret in each setting that can have one', async ({ place, start }) => {
  const old = await startOld()
  place.write('headers.txt', `X-Key: ${SECRET}`)
  place.write('documents.json', JSON.stringify({ [SECRET]: `{ users(values: ["${SECRET}"]) { id } }` }))
  const served = await start({
    ...{ SHADOW_URL: old.url, SHADOW_HEADERS: `X-Key: ${SECRET}`, SHADOW_SAMPLE: '1' },
    ...{ CUTOVER_URL: old.url, CUTOVER_HEADERS_FILE: join(place.path, 'headers.txt') },
    ...{ CUTOVER_SHARE: '1', CUTOVER_GUARD: '0', TRUSTED_PROXIES: 'loopback' },
    GRAPHQL_DOCUMENTS: join(place.path, 'documents.json'),
    LEGACY_SUNSET_LINK: `https://me:${SECRET}@old.example/end?token=${SECRET}`,
  })
  await sendAll(served.url)
  const read = async (title: string) => sectionOf((await look(served)).body, title)
  await expect.poll(() => read('Compared with the old service')).toMatch(/\d+ of \d+ compared/)
  for (const title of ['The dial', 'Errors']) expect(await read(title), title).not.toBe('')
  expectHidden(await look(served))
})

test('a login and headers of an old service, while it responds and while it is down', async ({ start }) => {
  const old = await startOld()
  const served = await start({ DATABASE_URL: old.url, DATABASE_HEADERS: `X-Key: ${SECRET}` })
  await sendAll(served.url)
  const page = await look(served)
  expect(plain(page.body)).toContain('Data: the old service at http://')
  expectHidden(page)
  old.close()
  await sendAll(served.url)
  await expect.poll(async () => plain((await look(served)).body)).toContain('Not ready')
  expectHidden(await look(served))
})
