// nginx, as deploy/nginx.conf configures it, before two gateways of which one fails, and before two that
// fail.

import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serve } from '../kit/serving.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { ask } from '../legacy/support/ask.ts'
import { startProxy } from './nginx.ts'

const lookup = '/?Event=ProfileLookup&Users=1:2:3'

/** Two gateways, each with sample data of its own, and the proxy before them. */
async function startBoth() {
  const gateways = await Promise.all(
    [makeWorkplace(), makeWorkplace()].map(async (place) => {
      onTestFinished(() => place.remove())
      const serving = await serve({ cwd: place.path, env: { LOG_LEVEL: 'silent' } })
      const change = (sql: string) => {
        const database = new DatabaseSync(join(place.path, 'lookup.db'))
        database.exec(sql)
        database.close()
      }
      return { ...serving, change }
    }),
  )
  const { url } = await startProxy(gateways.map((gateway) => gateway.url))
  const [first] = gateways
  if (first === undefined) throw new Error('there are two gateways')
  return { gateways, first, url }
}

/** Clients that send GET and POST as fast as they get responses, until they are stopped. */
function startLoad(url: string, clients = 8) {
  const failures: string[] = []
  let responses = 0
  let isStopped = false

  async function get(): Promise<void> {
    const { status, body } = await ask(url, lookup)
    if (status !== 200) failures.push(`GET: ${status} ${body}`)
  }

  async function post(): Promise<void> {
    const body = JSON.stringify({ query: '{ users(values: ["1"]) { username } }' })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
    const text = await response.text()
    if (text !== '{"data":{"users":[{"username":"Ada"}]}}') failures.push(`POST: ${response.status} ${text}`)
  }

  async function work(request: () => Promise<void>): Promise<void> {
    while (!isStopped) {
      await request().catch((error: unknown) => failures.push(String(error)))
      responses++
    }
  }
  const working = Array.from({ length: clients }, (_, index) => work(index % 2 === 0 ? get : post))

  return {
    /** Waits for so many more responses. */
    count: async (more: number) => {
      const enough = responses + more
      while (responses < enough) await pause(5)
    },
    expectNoFailures: async () => {
      isStopped = true
      await Promise.all(working)
      expect(failures).toEqual([])
    },
  }
}

const hide = 'ALTER TABLE users RENAME TO elsewhere'

describe('the proxy', { timeout: 60_000 }, () => {
  test.for(['SIGKILL', 'SIGTERM'] as const)('loses no request when a gateway ends by %s', async (signal) => {
    const { first, url } = await startBoth()
    const load = startLoad(url)
    await load.count(300)
    first.process.kill(signal)
    await once(first.process, 'exit')
    await load.count(300)
    await load.expectNoFailures()
  })

  test('skips a gateway that is frozen', async () => {
    const { first, url } = await startBoth()
    first.process.kill('SIGSTOP')
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask(url, lookup)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('passes on the 503 of an outage, and ends with it', async () => {
    const { gateways, url } = await startBoth()
    for (const { change } of gateways) change(hide)
    for (let count = 0; count < 20; count++) {
      const { status, headers, body } = await ask(url, lookup)
      expect([status, body]).toEqual([503, expect.stringContaining('Unavailable')])
      expect(headers['retry-after']).toBeDefined()
    }
    for (const { change } of gateways) change('ALTER TABLE elsewhere RENAME TO users')
    const load = startLoad(url)
    await load.count(100)
    await load.expectNoFailures()
  })
})
