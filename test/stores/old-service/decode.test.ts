// What an old service compresses though no request asked for it: read, within limits.

import type { ServerResponse } from 'node:http'
import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createCall, NoReply } from '../../../src/stores/old-service/call.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startOldService } from '../../old-service/start.ts'
import { openOverOld } from './support.ts'

const MIB = 1024 * 1024
const body = JSON.stringify({ 1: userOf('1') })

/** A service that answers so, and a call to it. */
async function start(answer: (response: ServerResponse) => void, most = 8 * MIB) {
  const { url, close } = await startAnswering((_, response) => answer(response))
  onTestFinished(close)
  return { url, call: createCall({ url, headers: {} }, { timeout: 10_000, connections: 1, most }) }
}
const sending = (coding: string, bytes: Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { 'Content-Encoding': coding }).end(bytes)

const codings = [
  ['gzip', 'gzip', gzipSync],
  ['X-GZIP', 'x-gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  [' deflate ', 'deflate', deflateRawSync],
  ['br', 'br', brotliCompressSync],
  ['zstd', 'zstd', zstdCompressSync],
] as const

describe.for(codings)('"%s"', ([header, coding, compress]) => {
  test('is read', async () => {
    const { call, url } = await start(sending(header, compress(body)))
    expect(await call('a')).toMatchObject({ status: 200, body: Buffer.from(body), coding })
    expect(await openOverOld(url).store.findUsers('ID', ['1'])).toMatchObject([{ id: 1 }])
  })

  test('that broke off, or is something else, is a broken answer', async () => {
    const packed = compress('x'.repeat(10_000) + Math.random())
    for (const bytes of [packed.subarray(0, -4), Buffer.from('{"1":null}'), Buffer.from([7])]) {
      const { call, url } = await start(sending(header, bytes))
      const error = await call('a').catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(NoReply)
      expect(error).toMatchObject({
        kind: 'broken',
        message: `its answer is not valid ${coding}, or is truncated`,
      })
      const { store, observations } = openOverOld(url)
      await expect(store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
      expect(observations).toMatchObject([{ type: 'store-failed', error: { kind: 'unusable' } }])
    }
  })

  test('as large as is read, and a byte more', async () => {
    const { call } = await start(sending(header, compress(Buffer.alloc(100_000))), 100_000)
    expect((await call('a')).body).toHaveLength(100_000)
    const large = await start(sending(header, compress(Buffer.alloc(100_001))), 100_000)
    await expect(large.call('a')).rejects.toThrow(`its answer has more than 100000 bytes (${coding})`)
  })

  test('of nothing: as HEAD has it', async () => {
    const { call } = await start(sending(header, Buffer.alloc(0)))
    expect((await call('a')).body).toHaveLength(0)
    expect((await call('a', { method: 'HEAD' })).body).toHaveLength(0)
  })
})

test.for([
  ['identity', body],
  ['', body],
] as const)('"%s" is no coding', async ([header, text]) => {
  const { call } = await start(sending(header, Buffer.from(text)))
  const reply = await call('a')
  expect(reply.body.toString()).toBe(text)
  expect(reply.coding).toBeUndefined()
})

test.for([
  ['compress', 'the Content-Encoding "compress"'],
  ['aes128gcm', 'the Content-Encoding "aes128gcm"'],
  ['gzip, br', 'several content codings, or an unknown one'],
  ['<script>', 'several content codings, or an unknown one'],
] as const)('"%s" is said', async ([header, shown]) => {
  const { call } = await start(sending(header, gzipSync(body)))
  await expect(call('a')).rejects.toThrow(`its answer has ${shown}, which is not supported`)
})

test('a frame of zstd that asks for much memory is not read', async () => {
  const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 }
  const compressor = createZstdCompress({ params })
  const parts: Buffer[] = []
  compressor.on('data', (part: Buffer) => parts.push(part))
  compressor.write('a')
  await new Promise((done) => compressor.flush(() => done(null)))
  await new Promise<void>((done) => void compressor.on('end', done).end('b'))
  const { call } = await start(sending('zstd', Buffer.concat(parts)))
  await expect(call('a')).rejects.toThrow('its answer is not valid zstd')
})

test.skipIf(!hasProgram('php'))('PHP that compresses everything', async () => {
  const old = await startOldService({ gzip: true })
  onTestFinished(old.close)
  const { store } = openOverOld(old.url)
  expect(await store.findUsers('ID', ['3', '99'])).toMatchObject([{ id: 3, username: 'mallory' }, null])
  expect(await store.findApps(['2'])).toMatchObject([{ id: 2, title: 'Paint & Paper' }])
})
