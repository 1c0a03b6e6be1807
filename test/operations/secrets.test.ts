// Nothing secret is on the page of a gateway over an old service; secrets.engines.test.ts has a database.

import { expect } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { askAll, expectHidden, SECRET } from './hidden.ts'
import { look, plain } from './look.ts'
import { test } from './serving.ts'

test('an old service with a login and headers, while it responds and while it is down', async ({ start }) => {
  const old = await startAnswering((_, response) => void response.end('{}'))
  const served = await start({
    DATABASE_URL: old.url.replace('//', `//app:${SECRET}@`),
    DATABASE_HEADERS: `X-Key: ${SECRET}`,
  })
  await askAll(served.url)
  const page = await look(served)
  expect(plain(page.body)).toContain('Data: the old service at http://')
  expectHidden(page)
  old.close()
  await askAll(served.url)
  await expect.poll(async () => plain((await look(served)).body)).toContain('Not ready')
  expectHidden(await look(served))
})
