// The state file of a replay: exact counts, whatever clients make up, and whatever fails.

import { expect, onTestFinished } from 'vitest'
import { compareResponses } from '../../../src/migration/compare/compare.ts'
import { openProgressFile } from '../../../src/migration/progress-file.ts'
import { openLedger } from '../../../src/migration/replay/ledger.ts'
import { test } from '../../kit/test.ts'

const reply = (body: string) => ({ status: 200, headers: {}, body: Buffer.from(body) })

function recordOne(
  ledger: ReturnType<typeof openLedger>,
  query: string,
  old: string,
  fresh: string,
  hits = 1,
) {
  const responses = { old: reply(old), fresh: reply(fresh), latency: { old: 1, new: 2 } }
  ledger.record({ query, hits }, compareResponses(responses.old, responses.fresh), responses)
}

test('a known cause counts on, whatever other causes there are', ({ place }) => {
  const ledger = openLedger(`${place.path}/a.state`, 'a', '', '')
  onTestFinished(ledger.close)
  const rank = (at: number) =>
    recordOne(ledger, `Event=ProfileLookup&Users=${at}`, '{"1":{"Rank":1}}', '{"1":{"Rank":2}}')
  rank(0)
  for (let at = 0; at < 600; at++) recordOne(ledger, `Event=Scan${at}`, '{"1":null}', '{}')
  for (let at = 1; at < 701; at++) rank(at)
  const groups = ledger.groups()
  expect(groups).toHaveLength(501)
  expect(groups.slice(0, 2)).toMatchObject([
    { event: 'ProfileLookup', scope: 'field', field: 'Rank', kind: 'value', requests: 701, hits: 701 },
    { event: 'others', scope: '', field: '', kind: 'missing', requests: 101 },
  ])
})

test('a field may have the name of an entry', ({ place }) => {
  const ledger = openLedger(`${place.path}/a.state`, 'a', '', '')
  onTestFinished(ledger.close)
  recordOne(ledger, 'Event=a', '{"1":{"entry":1}}', '{"1":{}}')
  recordOne(ledger, 'Event=a', '{"1":null}', '{}')
  expect(ledger.groups().map(({ scope, field, kind }) => `${scope} ${field} ${kind}`)).toEqual([
    'entry entry missing',
    'field entry missing',
  ])
})

test('the latency of half, and of 99 % of the responses', ({ place }) => {
  const ledger = openLedger(`${place.path}/a.state`, 'a', '', '')
  onTestFinished(ledger.close)
  expect(ledger.latency('old')).toBeNull()
  for (let at = 1; at <= 200; at++) {
    const responses = { old: reply(''), fresh: reply(''), latency: { old: at, new: at > 198 ? 7_000.2 : 3 } }
    ledger.record({ query: 'a', hits: 1 }, compareResponses(responses.old, responses.fresh), responses)
  }
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
  expect(() =>
    together(() => {
      throw new Error('another')
    }),
  ).toThrow('another')
  fill()
  expect(database.prepare('SELECT count(*) AS count FROM rows').get()).toEqual({ count: 100 })
})
