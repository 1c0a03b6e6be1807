// A body in chunks of one byte takes no more memory than a body in one piece.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, requestFor } from '../../http/raw.ts'
import { figure } from '../../kit/figures.ts'
import { startGatewayProcess } from '../../kit/gateway-process.ts'
import { listen } from '../../migration/cutover/support.ts'
import { residentMemory } from '../../work/meter.ts'

const BOUND_MIB = 64
const CHUNKS = figure(1_000_000, 8_000_000)
const AT_ONCE = 10_000

test.for([
  ['the store', 'DATABASE', 503],
  ['the dial', 'CUTOVER', 200],
] as const)('sent to %s', { timeout: 300_000 }, async ([, setting, status]) => {
  const bytes = Buffer.from('1\r\nx\r\n'.repeat(AT_ONCE))
  const old = await listen((socket) => {
    let left = CHUNKS
    const send = () => {
      for (; left > 0; left -= AT_ONCE) if (!socket.write(bytes)) break
      if (left > 0) left -= AT_ONCE
      else socket.end('0\r\n\r\n')
    }
    socket.on('error', () => {}).on('drain', send)
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      send()
    })
  })
  const settings = { [`${setting}_URL`]: old, [`${setting}_TIMEOUT`]: '60000' }
  const gateway = await startGatewayProcess({ ...settings, CUTOVER_SHARE: '0', CUTOVER_FALLBACK: 'off' })
  onTestFinished(async () => void (await gateway.close()))
  const before = residentMemory(gateway.pid)
  let most = 0
  let response: { readonly status: number } | null = null
  const asked = exchange(gateway.url, requestFor('/?Event=ProfileLookup&Users=1'), 120_000).then((got) => {
    response = got
  })
  for (; response === null; await pause(2)) most = Math.max(most, residentMemory(gateway.pid) - before)
  await asked
  expect(response).toMatchObject({ status })
  expect(most).toBeLessThan(BOUND_MIB)
})
