// Promise 4: at twice the capacity, a gateway still serves most of its peak, in time, and refuses the rest at
// once. Clients that each wait for their response only wait longer.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { note } from '../kit/figures.ts'
import { ask } from '../kit/load.ts'
import { serve } from '../kit/serving.ts'
import { startFlags } from '../kit/start-flags.ts'
import { test } from '../kit/test.ts'
import { csvFile, csvRow } from '../kit/workplace.ts'
import type { Seen, Wanted } from './overload-load.ts'

const USERS = 20_000
const timeout = 300_000

async function load(wanted: Wanted): Promise<Seen> {
  const script = new URL('overload-load.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(wanted)])
  return JSON.parse(stdout)
}

test.for([
  ['1,000 warm connections', { connections: 1000, isFresh: false }],
  ['200 warm connections', { connections: 200, isFresh: false }],
  ['a connection for each request, 1,000 at a time', { connections: 1000, isFresh: true }],
] as const)('twice the capacity on %s', { timeout }, async ([how, kind], { place, task }) => {
  place.write('users.csv', csvFile(...Array.from({ length: USERS }, (_, index) => csvRow(index + 1))))
  expect((await place.run(['import', 'users', 'users.csv'])).status).toBe(0)
  const env = { DATABASE_URL: 'sqlite:lookup.db' }
  const { url, admin } = await serve({ cwd: place.path, timeout, nodeFlags: startFlags, env })
  const live = ask(`${admin}/live`)
  // With 100 values, refusing a request costs a fraction of answering it.
  const wanted = { users: USERS, values: 100, milliseconds: 20_000, times: 2, ...kind }
  const seen = await load({ url, ...wanted })
  const { peak, pooledRefusals, pooled, goodput, served, refused, ...statuses } = seen
  expect(statuses).toEqual({ alone: [200], statuses: [200, 503], after: [200] })
  expect([200, 503]).toEqual(expect.arrayContaining([...pooled]))
  expect((await live).status).toBe(200)
  note(
    { task },
    {
      promise: 4,
      what: `${how}: requests refused while clients for 30 ms of work each wait for their responses`,
      bound: '≤ 1 %',
      measured: `${(pooledRefusals * 100).toFixed(1)} %`,
    },
    {
      promise: 4,
      what: `${how}: goodput at twice the capacity`,
      bound: '≥ 90 % of peak',
      measured: `${Math.round((goodput / peak) * 100)} % of ${Math.round(peak)}/s`,
    },
    {
      promise: 4,
      what: `${how}: p99 of what is served`,
      bound: '≤ 100 ms',
      measured: `${Math.round(served)} ms`,
    },
    {
      promise: 4,
      what: `${how}: p99 of what is refused`,
      bound: '≤ 50 ms',
      measured: `${Math.round(refused)} ms`,
    },
  )
  expect(pooledRefusals).toBeLessThanOrEqual(0.01)
  expect(goodput / peak).toBeGreaterThan(0.9)
  expect(served).toBeLessThan(100)
  expect(refused).toBeLessThan(50)
})
