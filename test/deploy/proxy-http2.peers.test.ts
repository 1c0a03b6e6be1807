// HTTP/2 with prior knowledge, by the proxy.

import { once } from 'node:events'
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../gateway/legacy/support/ask.ts'
import { type Gateway, startGateway } from '../kit/gateway.ts'
import { hasProgram } from '../kit/programs.ts'
import { type RunningProxy, startProxy } from './nginx.ts'

const lookup = '/?Event=ProfileLookup&Users=1'

async function start(): Promise<RunningProxy & { gateway: Gateway }> {
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  return { ...(await startProxy([gateway.url])), gateway }
}

/** Sends a request and 8 MiB of its body. @returns the status */
async function flood(url: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  const session = connect(url)
  try {
    const stream = session.request(headers, { endStream: false }).on('error', () => {})
    const answered = once(stream, 'response')
    Readable.from(pieces())
      .on('error', () => {})
      .pipe(stream)
    return (await answered)[0][':status']
  } finally {
    session.destroy()
  }
}

function* pieces(): Generator<Buffer> {
  for (let count = 0; count < 128; count++) yield Buffer.alloc(64 * 1024, 'x')
}

describe.skipIf(!hasProgram('nginx'))('HTTP/2', { timeout: 60_000 }, () => {
  test('answers many requests on a connection', async () => {
    const { http2Url, gateway } = await start()
    const session = connect(http2Url, { maxSendHeaderBlockLength: 262_144 })
    onTestFinished(() => session.destroy())
    const get = async (target: string) => {
      const stream = session.request({ ':path': target })
      const [headers]: [IncomingHttpHeaders] = await once(stream, 'response').then(([first]) => [first])
      return { status: headers[':status'], body: await text(stream) }
    }
    const { body } = await ask(gateway.url, lookup)
    const answers = await Promise.all(Array.from({ length: 100 }, () => get(lookup)))
    for (const answer of answers) expect(answer).toEqual({ status: 200, body })
    expect(await get(`${lookup}${'0'.repeat(70_000)}`)).toMatchObject({ status: 414 })
  })

  test.for([{ 'content-length': 100 * 1024 ** 3 }, {}])(
    'refuses a body of 100 GiB or without end, announced by %j, and stores nothing',
    async (announced) => {
      const { http2Url, filled } = await start()
      for (const method of ['GET', 'POST'])
        expect(await flood(http2Url, { ':method': method, ':path': lookup, ...announced })).toBe(413)
      expect(filled()).toEqual([])
    },
  )
})
