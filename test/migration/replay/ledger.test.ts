// The state file of a replay: exact counts, whatever clients make up, and whatever fails.

import { expect, onTestFinished } from 'vitest'
import { compareResponses } from '../../../src/migration/compare/compare.ts'
import { openProgressFile } from '../../../src/migration/progress-file.ts'
import { openLedger } from '../../../src/migration/replay/ledger.ts'
import { test } from '../../kit/test.ts'

const reply = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body) })

function open(path: string) {
  const ledger = openLedger(`${path}/a.state`, 'a')
  onTestFinished(ledger.close)
  const record = (query: string, old: string, fresh: string, latency = { old: 1, new: 2 }) => {
    const responses = { old: reply(old), fresh: reply(fresh), latency }
    ledger.record({ query, hits: 1 }, compareResponses(responses.old, responses.fresh), responses)
  }
  return { ledger, record }
}

test('a known cause counts on, whatever other causes there are', ({ place }) => {
  const { ledger, record } = open(place.path)
  const rank = (at: number) =>
    record(`Event=ProfileLookup&Users=${at}`, '{"1":{"Rank":1}}', '{"1":{"Rank":2}}')
  rank(0)
  for (let at = 0; at < 600; at++) record(`Event=Scan${at}&x=${'y'.repeat(2_000)}`, '{"1":null}', '{}')
  for (let at = 1; at < 701; at++) rank(at)
  const groups = ledger.causes()
  expect(groups).toHaveLength(501)
  expect(groups.slice(0, 2)).toMatchObject([
    { event: 'ProfileLookup', scope: 'field', field: 'Rank', kind: 'value', requests: 701, hits: 701 },
    { event: 'others', scope: '', field: '', kind: 'missing', requests: 101 },
  ])
  expect(Math.max(...groups.map(({ query }) => query.length))).toBe(1_000)
})

test('the latency of half, and of 99 % of the responses', ({ place }) => {
  const { ledger, record } = open(place.path)
  expect(ledger.latency('old')).toBeNull()
  const queries = Array.from({ length: 200 }, (_, at) => `Event=${at}`)
  ledger.count(new Map(queries.map((query) => [query, 1])))
  for (const [at, query] of queries.entries())
    record(query, '', '', { old: at + 1, new: at > 197 ? 7_000.2 : 3 })
  expect([ledger.latency('old'), ledger.latency('new')]).toEqual([
    { p50: 100, p99: 198 },
    { p50: 3, p99: 3 },
  ])
})

test('after a full disk, nothing of the failed change is left, and work goes on', ({ place }) => {
  const { database, together } = openProgressFile(`${place.path}/a.state`, 'a', 'b')
  onTestFinished(() => database.close())
  database.exec('CREATE TABLE rows (text TEXT)')
  const add = database.prepare('INSERT INTO rows VALUES (?)')
  const limit = (pages: number) => database.exec(`PRAGMA max_page_count = ${pages}`)
  limit(Number(database.prepare('PRAGMA page_count').get()?.page_count) + 2)
  const fill = () => together(() => void Array.from({ length: 100 }, () => add.run('x'.repeat(1_000))))
  expect(fill).toThrow('full')
  limit(10_000)
  fill()
  expect(database.prepare('SELECT count(*) AS count FROM rows').get()).toEqual({ count: 100 })
})
