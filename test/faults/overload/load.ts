// Asks a gateway for more than it can answer, from a process of its own: a pause of the tests' process would
// be taken for one of the gateway. Writes what it saw as JSON.
//
// node load.ts '{"url": "http://127.0.0.1:4000", …}'

import { percentile } from '../../kit/load.ts'
import { closedLoop, openLoop, type Shot } from './open-loop.ts'

export interface Wanted {
  readonly url: string
  /** Users that there are, with ids from 1. */
  readonly users: number
  /** Values in each request. */
  readonly values: number
  readonly milliseconds: number
  /** How much more is asked than can be answered, as it is measured just before. */
  readonly times: number
}

export interface Seen {
  /** Answers a second when no request is refused, and how those requests ended. */
  readonly peak: number
  readonly alone: readonly number[]
  /** Share of refusals, and how requests ended, where clients ask for 30 ms of work at once. */
  readonly pooledRefusals: number
  readonly pooled: readonly number[]
  /**
   * Answers a second when too much is asked; how requests ended then, and milliseconds within which 99 % did.
   */
  readonly goodput: number
  readonly statuses: readonly number[]
  readonly served: number
  readonly refused: number
  /** How the last requests ended when all that was over. */
  readonly after: readonly number[]
}

const CONNECTIONS = 1000
/** Milliseconds of work that a pool of connections asks for at once. */
const POOLED_WORK_MS = 30
/** So few are always let in. */
const FEW_CONNECTIONS = 32
/** More than are asked before the first comes again: no cache knows them any more. */
const DIFFERENT = 20_000

async function load({ url, users, values, milliseconds, times }: Wanted): Promise<Seen> {
  const requests = Array.from({ length: DIFFERENT }, () => {
    const ids = Array.from({ length: values }, () => 1 + Math.floor(Math.random() * users))
    return `GET /?Event=ProfileLookup&Users=${ids.join(':')} HTTP/1.1\r\nHost: gateway\r\n\r\n`
  })
  let turn = 0
  const request = () => requests[turn++ % requests.length] ?? ''
  const loop = { connections: 16, request }

  await closedLoop(url, { ...loop, milliseconds: 1500 })
  const alone = await closedLoop(url, { ...loop, milliseconds: milliseconds / 2 })
  const peak = (alone.length / milliseconds) * 2000
  const connections = Math.max(1.5 * FEW_CONNECTIONS, Math.ceil((POOLED_WORK_MS * peak) / 1000))
  const pooled = await closedLoop(url, { connections, request, milliseconds })
  const rate = times * peak
  const shots = await openLoop(url, { connections: CONNECTIONS, request, milliseconds, rate })
  const after = await closedLoop(url, { ...loop, milliseconds: 500 })
  const took = (wanted: number) => shots.filter(({ status }) => status === wanted).map(({ took }) => took)
  return {
    peak,
    alone: statusesOf(alone),
    pooledRefusals: pooled.filter(({ status }) => status === 503).length / pooled.length,
    pooled: statusesOf(pooled),
    goodput: (took(200).length / milliseconds) * 1000,
    statuses: statusesOf(shots),
    served: percentile(took(200), 0.99),
    refused: percentile(took(503), 0.99),
    after: statusesOf(after.slice(-100)),
  }
}

function statusesOf(shots: readonly Shot[]): readonly number[] {
  return [...new Set(shots.map(({ status }) => status))].sort()
}

process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2] ?? '{}'))))
