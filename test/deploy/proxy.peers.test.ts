// deploy/nginx.conf in a real nginx, before real gateways.

import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchange } from '../gateway/http/raw.ts'
import { ask } from '../gateway/legacy/support/ask.ts'
import { caseData, cases } from '../gateway/legacy/support/cases.ts'
import { hasProgram } from '../kit/programs.ts'
import { originOf, type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { startLoad } from './load.ts'
import { startProxy } from './nginx.ts'

const lookup = '/?Event=ProfileLookup&Users=1:2:3'
const places: Workplace[] = []
beforeEach(() => {
  places.push(makeWorkplace(), makeWorkplace())
})
afterEach(() => Promise.all(places.splice(0).map((place) => place.remove())))

const urlOf = ({ shown }: Serving) => originOf(shown.Explorer)

/** Two gateways, each with sample data of its own, and the proxy before them. */
async function startBoth() {
  const start = ({ path }: Workplace) => serve({ cwd: path, env: { LOG_LEVEL: 'silent' } })
  const gateways = await Promise.all(places.map(start))
  return { gateways, ...(await startProxy(gateways.map(urlOf))) }
}

/** Does something to what gateways answer from. */
function change(changed: readonly Workplace[], sql: string): void {
  for (const { path } of changed) {
    const database = new DatabaseSync(join(path, 'lookup.db'))
    database.exec(sql)
    database.close()
  }
}

describe.skipIf(!hasProgram('nginx'))('the proxy', { timeout: 60_000 }, () => {
  test('hands requests and answers on as they are', async () => {
    const [place] = places
    for (const [name, file] of Object.entries(caseData)) await place?.run(['import', name, file])
    const direct = urlOf(await serve({ cwd: place?.path ?? '' }))
    const { url } = await startProxy([direct])
    for (const { name, request, response } of cases) {
      expect((await ask(url, request)).body, name).toBe(response)
    }
    const others = ['/', '/graphql?query={__typename}', '/nowhere', '/?%', `${lookup}&Format=XML`]
    for (const target of [...others, `${lookup}${'0'.repeat(70_000)}`]) {
      const { status, body, headers } = await ask(direct, target)
      for (const name of ['date', 'connection', 'keep-alive', 'x-request-id']) delete headers[name]
      expect(await ask(url, target), target.slice(0, 100)).toMatchObject({ status, body, headers })
    }
    const { etag = '' } = (await ask(url, lookup)).headers
    expect(await ask(url, lookup, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 })
    expect(await ask(url, lookup, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  test('understands clients of HTTP/1.0, which name no host', async () => {
    const { url } = await startBoth()
    expect(await exchange(url, `GET ${lookup} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 200 })
  })

  test.for(['SIGKILL', 'SIGTERM'] as const)('loses no request when a gateway ends by %s', async (signal) => {
    const { gateways, url } = await startBoth()
    const load = startLoad(url, lookup)
    await load.count(300)
    const [first] = gateways
    if (first === undefined) throw new Error('there are two gateways')
    first.process.kill(signal)
    await once(first.process, 'exit')
    await load.count(300)
    expect(await load.stop()).toEqual([])
  })

  test('passes over a gateway that says nothing', async () => {
    const { gateways, url } = await startBoth()
    gateways[0]?.process.kill('SIGSTOP')
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(url, lookup)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('passes over a gateway that has no data', async () => {
    const { url } = await startBoth()
    change(places.slice(0, 1), 'ALTER TABLE users RENAME TO elsewhere')
    const load = startLoad(url, lookup)
    await load.count(100)
    expect(await load.stop()).toEqual([])
  })

  test('lets the gateways speak of an outage, and of its end', async () => {
    const { url } = await startBoth()
    change(places, 'ALTER TABLE users RENAME TO elsewhere')
    for (let count = 0; count < 20; count++) {
      const { status, headers, body } = await ask(url, lookup)
      expect({ status, body }).toMatchObject({ status: 503, body: expect.stringContaining('Unavailable') })
      expect(headers['retry-after']).toBeDefined()
    }
    change(places, 'ALTER TABLE elsewhere RENAME TO users')
    const load = startLoad(url, lookup)
    await load.count(100)
    expect(await load.stop()).toEqual([])
  })
})
