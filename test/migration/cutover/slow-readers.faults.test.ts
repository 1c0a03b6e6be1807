// Clients that do not read the responses of the old service fill no memory, and delay nobody else.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { openSocket, requestFor } from '../../http/raw.ts'
import { filledFile } from '../../kit/gateway.ts'
import { ask } from '../../kit/load.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { test } from '../../kit/test.ts'

const MIB = 1024 * 1024
const large = Buffer.alloc(MIB / 2, 'x')

test('two hundred responses of 512 KiB that nobody reads', async ({ place }) => {
  const old = createServer(({ url }, response) => void response.end(url?.includes('large') ? large : '{}'))
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    old.closeAllConnections()
    old.close()
  })
  const address = old.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  await filledFile(join(place.path, 'lookup.db'))
  const env = { DATABASE_URL: 'sqlite:lookup.db', CUTOVER_URL: `http://127.0.0.1:${port}/` }
  const serving = await serve({ cwd: place.path, env })
  const url = originOf(serving.shown['Legacy JSON'])
  const memory = () => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(
      readFileSync(`/proc/${serving.process.pid}/status`, 'utf8'),
    )?.[1]
    return Number(kilobytes) / 1024
  }
  expect((await ask(`${url}/?small`)).status).toBe(200)
  const before = memory()
  const statuses: number[] = []
  let most = 0
  for (let round = 0; round < 10; round++) {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(url)))
    for (const socket of sockets) socket.pause().write(requestFor('/?large'))
    await pause(100)
    statuses.push((await ask(`${url}/?small`)).status)
    most = Math.max(most, memory())
  }
  // Beyond 32 MiB that are not read, requests are refused.
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
  expect(most - before).toBeLessThan(200)
  // Clients that do not read are disconnected.
  await expect.poll(async () => (await ask(`${url}/?small`)).status, { timeout: 30_000 }).toBe(200)
})
