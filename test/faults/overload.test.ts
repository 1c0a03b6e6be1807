// Twice as much is asked as the gateway can answer: it answers about as much as ever, in time, and refuses the rest at
// once.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../commands/rows.ts'
import { originOf, serve } from '../commands/serving.ts'
import { figure, note } from '../support/figures.ts'
import { ask, percentile } from '../support/load.ts'
import { closedLoop, openLoop } from '../support/open-loop.ts'

const USERS = 20_000
/** Values in each request: enough that refusing costs a fraction of answering. */
const VALUES = 100
const milliseconds = figure(3000, 20_000)
/** On a machine that does other things as well, `npm test` only sees whether it works at all. */
const bounds = figure(
  { goodput: 0.2, served: 5000, refused: 5000 },
  { goodput: 0.9, served: 100, refused: 50 },
)
/** How much more is asked than can be answered, as it was measured just before. */
const TIMES = figure(4, 2)

let place: Workplace
beforeAll(async () => {
  place = makeWorkplace()
  place.write('users.csv', csvFile(...Array.from({ length: USERS }, (_, index) => csvRow(index + 1))))
  const { status, stderr } = await place.run(['import', 'users', 'users.csv'])
  expect({ status, stderr }).toMatchObject({ status: 0 })
})
afterAll(() => place.remove())

/** Requests that no cache knows. */
const requests = Array.from({ length: 2000 }, () => {
  const ids = Array.from({ length: VALUES }, () => 1 + Math.floor(Math.random() * USERS))
  return `GET /?Event=ProfileLookup&Users=${ids.join(':')} HTTP/1.1\r\nHost: gateway\r\n\r\n`
})
const request = (turn: number) => requests[turn % requests.length] ?? ''

test('twice the capacity on 1,000 warm connections', { timeout: 120_000 }, async (context) => {
  const { shown } = await serve({
    cwd: place.path,
    timeout: 120_000,
    env: { DATABASE_URL: 'sqlite:lookup.db' },
  })
  const url = originOf(shown['Legacy JSON'])
  const admin = originOf(shown.Readiness)
  await closedLoop(url, { milliseconds: 1500, connections: 16, request })
  const alone = await closedLoop(url, { milliseconds: milliseconds / 2, connections: 16, request })
  expect(new Set(alone.map(({ status }) => status))).toEqual(new Set([200]))
  const peak = (alone.length / milliseconds) * 2000

  const live = ask(`${admin}/live`)
  const shots = await openLoop(url, { rate: TIMES * peak, milliseconds, connections: 1000, request })
  expect(new Set(shots.map(({ status }) => status))).toEqual(new Set([200, 503]))
  const took = (wanted: number) => shots.filter(({ status }) => status === wanted).map(({ took }) => took)
  const goodput = (took(200).length / milliseconds) * 1000
  const [served, refused] = [percentile(took(200), 0.99), percentile(took(503), 0.99)]
  note(
    context,
    {
      promise: 4,
      what: 'goodput at twice the capacity',
      bound: '≥ 90 % of peak',
      measured: `${Math.round((goodput / peak) * 100)} % of ${Math.round(peak)}/s`,
    },
    { promise: 4, what: 'p99 of what is served', bound: '≤ 100 ms', measured: `${Math.round(served)} ms` },
    { promise: 4, what: 'p99 of what is refused', bound: '≤ 50 ms', measured: `${Math.round(refused)} ms` },
  )
  expect(goodput / peak).toBeGreaterThan(bounds.goodput)
  expect(served).toBeLessThan(bounds.served)
  expect(refused).toBeLessThan(bounds.refused)
  expect((await live).status).toBe(200)
  // And it is over when they stop.
  const after = await closedLoop(url, { milliseconds: 500, connections: 16, request })
  expect(new Set(after.slice(-100).map(({ status }) => status))).toEqual(new Set([200]))
})
