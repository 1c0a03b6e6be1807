// nginx before one gateway, with the old service as backup, as docs/deploy.md configures it.

import { describe, expect, onTestFinished, vi } from 'vitest'
import { exchange } from '../http/raw.ts'
import { startAnswering } from '../kit/answering.ts'
import { readPage } from '../kit/documentation.ts'
import { startGateway } from '../kit/gateway.ts'
import { startOldService } from '../kit/old-service.ts'
import { freePort } from '../kit/postgres/server.ts'
import { ask } from '../legacy/support/ask.ts'
import { adapt, startNginx, test } from './nginx.ts'

const [, block = ''] = /^## nginx in front\n.*?```nginx\n(.*?)```/ms.exec(readPage('docs/deploy.md')) ?? []
const lookup = '/?Event=ProfileLookup&Users=1:99'
/** The old service has an entry for an unknown id, which shows who has responded. */
const byGateway = { status: 200, body: expect.not.stringContaining('null') }
const byOldService = { status: 200, body: expect.stringContaining('"99":null') }

async function startBefore(gatewayUrl: string): Promise<string> {
  const old = await startOldService({ unknown: 'null' })
  onTestFinished(old.close)
  const port = await freePort()
  const part = adapt(block.replaceAll('127.0.0.1:4000', new URL(gatewayUrl).host), {
    'old.internal:80': new URL(old.url).host,
    'listen 80;': `listen 127.0.0.1:${port};`,
  })
  return (await startNginx(part, port)).url
}

describe('nginx with the old service as backup', { timeout: 60_000 }, () => {
  test('names clients to the gateway, and accepts odd requests', async () => {
    const gateway = await startGateway({ TRUSTED_PROXIES: 'loopback', RATE_LIMIT: '2' })
    onTestFinished(gateway.close)
    const url = await startBefore(gateway.url)
    const from = (client: string) => ({ headers: { 'x-forwarded-for': client } })
    expect(await ask(url, lookup, from('203.0.113.1'))).toMatchObject(byGateway)
    expect(await ask(url, lookup, from('203.0.113.1'))).toMatchObject({ status: 429 })
    expect(await ask(url, `/${lookup}`, from('203.0.113.2'))).toMatchObject(byGateway)
    const bare = `GET ${lookup} HTTP/1.1\nHost: nginx\nConnection: close\nX-Forwarded-For: 203.0.113.3\n\n`
    expect(await exchange(url, bare)).toMatchObject(byGateway)
    const { body } = await ask(url, '/graphql?query={__typename}', from('203.0.113.4'))
    expect(body).toBe('{"data":{"__typename":"Query"}}')
  })

  test('has the response of the old service while the gateway is stopped', async () => {
    const gateway = await startGateway()
    const close = vi.fn(gateway.close)
    onTestFinished(() => (close.mock.calls.length === 0 ? close() : undefined))
    const url = await startBefore(gateway.url)
    expect(await ask(url, lookup)).toMatchObject(byGateway)
    await close()
    await vi.waitFor(async () => expect(await ask(url, lookup)).toMatchObject(byOldService))
    expect(await ask(url, '/graphql?query={__typename}')).toMatchObject({ status: 502 })
  })

  test('has the response of the old service if the gateway responds 503', async () => {
    const gateway = await startAnswering((_, response) => response.writeHead(503).end())
    onTestFinished(gateway.close)
    const url = await startBefore(gateway.url)
    expect(await ask(url, lookup)).toMatchObject(byOldService)
  })
})
