// What an old service sends compressed costs a gateway no more than what it reads of it.

import { setTimeout as pause } from 'node:timers/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, requestFor } from '../http/raw.ts'
import { startAnswering, userOf } from '../kit/answering.ts'
import { figure } from '../kit/figures.ts'
import { startGatewayProcess } from '../kit/gateway-process.ts'
import { processorTime, residentMemory } from './meter.ts'

const MIB = 1024 * 1024
/** Milliseconds of processor time of a request: 8 MiB are decoded, and thrown away. */
const BOUND_MS = 150
/** What is read, and as much again for each of the collections of garbage that have not come yet. */
const BOUND_MIB = 64

/** So many bytes of zeros: a gigabyte at night. */
async function bomb(compressor: ReturnType<typeof createGzip>): Promise<Buffer> {
  const parts: Buffer[] = []
  compressor.on('data', (part: Buffer) => parts.push(part))
  const zeros = Buffer.alloc(4 * MIB)
  for (let times = 0; times < figure(32, 256); times++)
    await new Promise((done) => compressor.write(zeros, done))
  await new Promise<void>((done) => void compressor.on('end', done).end())
  return Buffer.concat(parts)
}

test.for([
  ['gzip', () => createGzip({ level: 1 })],
  ['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
] as const)('a long response of zeros in %s', { timeout: 300_000 }, async ([coding, compressor]) => {
  const bytes = await bomb(compressor())
  const old = await startAnswering(({ url = '' }, response) => {
    if (!url.includes('Users=2')) response.end(JSON.stringify({ 1: userOf('1') }))
    else response.writeHead(200, { 'Content-Encoding': coding }).end(bytes)
  })
  onTestFinished(old.close)
  const gateway = await startGatewayProcess({ DATABASE_URL: old.url, DATABASE_TIMEOUT: '10000' })
  onTestFinished(async () => {
    expect(await gateway.close()).toContain(`its response has more than 8388608 bytes (${coding})`)
  })
  const ask = (id: number) => exchange(gateway.url, requestFor(`/?Event=ProfileLookup&Users=${id}`), 20_000)
  expect((await ask(1)).status).toBe(200)
  expect((await ask(2)).status).toBe(503)
  const before = residentMemory(gateway.pid)
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let times = 0; times < figure(3, 6); times++) {
    const used = processorTime(gateway.pid)
    const asked = ask(2).then(({ status }) => expect(status).toBe(503))
    let isDone = false
    const done = asked.finally(() => {
      isDone = true
    })
    for (; !isDone; await pause(2)) most = Math.max(most, residentMemory(gateway.pid) - before)
    await done
    least = Math.min(least, processorTime(gateway.pid) - used)
  }
  expect(least).toBeLessThan(BOUND_MS)
  expect(most).toBeLessThan(BOUND_MIB)
  expect((await ask(1)).status).toBe(200)
})
