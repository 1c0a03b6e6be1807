// Twice as much is asked as the gateway can answer: it answers about as much as ever, in time, and refuses
// the rest at once. Clients of which each waits for its answer only wait longer.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure, note } from '../kit/figures.ts'
import { ask } from '../kit/load.ts'
import { originOf, serve } from '../kit/serving.ts'
import { startFlags } from '../kit/start-flags.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../kit/workplace.ts'
import type { Seen, Wanted } from './overload/load.ts'

const USERS = 20_000
/** Values in each request: enough that refusing costs a fraction of answering. */
const VALUES = 100
const milliseconds = figure(3000, 20_000)
/** On a machine that does other things as well, `npm run test:faults` only sees whether it works at all. */
const bounds = figure(
  { goodput: 0.2, served: 5000, refused: 5000, pooledRefusals: 0.9 },
  { goodput: 0.9, served: 100, refused: 50, pooledRefusals: 0.01 },
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

test('connections that each wait, and twice the capacity on 1,000 warm ones', {
  timeout: 120_000,
}, async (context) => {
  const { shown } = await serve({
    cwd: place.path,
    timeout: 120_000,
    nodeFlags: startFlags,
    env: { DATABASE_URL: 'sqlite:lookup.db' },
  })
  const admin = originOf(shown.Readiness)
  const live = ask(`${admin}/live`)
  const wanted = {
    url: originOf(shown['Legacy JSON']),
    users: USERS,
    values: VALUES,
    milliseconds,
    times: TIMES,
  }
  const { peak, pooledRefusals, pooled, goodput, served, refused, ...statuses } = await load(wanted)
  expect(statuses).toEqual({ alone: [200], statuses: [200, 503], after: [200] })
  expect([200, 503]).toEqual(expect.arrayContaining([...pooled]))
  note(
    context,
    {
      promise: 4,
      what: 'requests refused while connections for 30 ms of work each wait for their answers',
      bound: '≤ 1 %',
      measured: `${(pooledRefusals * 100).toFixed(1)} %`,
    },
    {
      promise: 4,
      what: 'goodput at twice the capacity',
      bound: '≥ 90 % of peak',
      measured: `${Math.round((goodput / peak) * 100)} % of ${Math.round(peak)}/s`,
    },
    { promise: 4, what: 'p99 of what is served', bound: '≤ 100 ms', measured: `${Math.round(served)} ms` },
    { promise: 4, what: 'p99 of what is refused', bound: '≤ 50 ms', measured: `${Math.round(refused)} ms` },
  )
  expect(pooledRefusals).toBeLessThanOrEqual(bounds.pooledRefusals)
  expect(goodput / peak).toBeGreaterThan(bounds.goodput)
  expect(served).toBeLessThan(bounds.served)
  expect(refused).toBeLessThan(bounds.refused)
  expect((await live).status).toBe(200)
})

async function load(wanted: Wanted): Promise<Seen> {
  const script = new URL('overload/load.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(wanted)])
  return JSON.parse(stdout)
}
