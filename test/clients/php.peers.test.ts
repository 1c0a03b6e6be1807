// The recorded results of PHP, from PHP itself.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { need } from '../kit/programs.ts'
import { facts, type Response } from './facts.ts'

need('php')

const known = facts.filter(({ client }) => client === 'php').flatMap(({ cases }) => cases)
const responses = known
  .flatMap(({ expected, differing }) => [expected, differing])
  .map((one): Response => (typeof one === 'string' ? { body: one } : one))
const bodies = responses.map(({ body = '', base64 }) =>
  base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64'),
)

/** Serves each response at its index; X-Times counts requests, which shows caches. */
function serve() {
  const times = new Map<string, number>()
  return startAnswering((request, response) => {
    const index = (request.url ?? '').slice(1)
    const {
      status = 200,
      type = 'application/json',
      headers = {},
      post = false,
    } = responses[Number(index)] ?? {}
    times.set(index, (times.get(index) ?? 0) + 1)
    response.writeHead(request.method === 'POST' && !post ? 405 : status, {
      ...(type === '' ? {} : { 'Content-Type': type }),
      'X-Times': String(times.get(index)),
      ...headers,
    })
    response.end(bodies[Number(index)])
  })
}

async function runClient(input: unknown): Promise<string[]> {
  const child = spawn('php', [fileURLToPath(new URL('client.php', import.meta.url))])
  child.stdin.end(JSON.stringify(input))
  const [[status], printed, errors] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  expect(status, errors).toBe(0)
  return JSON.parse(printed)
}

test('PHP gives the recorded results', async () => {
  const { url, close } = await serve()
  onTestFinished(close)
  const asked = responses.map((_, at) => ({
    code: known[Math.floor(at / 2)]?.code,
    answer: bodies[at]?.toString(),
    url: `${url}${at}`,
  }))
  const results = await runClient(asked)
  const found = known.map((fact, at) => ({ ...fact, result: results[2 * at], becomes: results[2 * at + 1] }))
  expect(found).toEqual(known)
})
