// Nothing secret is on the page of a gateway over a database.

import { expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { makeDatabase } from '../kit/postgres/database.ts'
import { askAll, expectHidden, SECRET } from './hidden.ts'
import { look, plain, sectionOf } from './look.ts'
import { test } from './serving.ts'

/** An old service whose responses differ. */
async function startOther() {
  const other = await startAnswering((_, response) => void response.end(`{"1":{"Id":1,"X":"${SECRET}"}}`))
  onTestFinished(other.close)
  return other.url.replace('//', `//app:${SECRET}@`)
}

test('over PostgreSQL, with a secret in each setting that can have one, while it is up and when it is gone', async ({
  place,
  start,
}) => {
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
    CUTOVER_HEADERS_FILE: `${place.path}/headers.txt`,
    CUTOVER_SHARE: '1',
    CUTOVER_GUARD: '0',
    GRAPHQL_DOCUMENTS: `${place.path}/documents.json`,
    LEGACY_SUNSET_LINK: `https://me:${SECRET}@old.example/end?token=${SECRET}`,
    LEGACY_UNKNOWN: 'null',
    TRUSTED_PROXIES: 'loopback',
  }
  expect((await place.run(['migrate'], { env: { DATABASE_URL: env.DATABASE_URL } })).status).toBe(0)
  const served = await start(env)
  await askAll(served.url)
  const at = async () => look(served, { path: '/?refresh=off' })
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
  await askAll(served.url)
  expectHidden(await at())
})
