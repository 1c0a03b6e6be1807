// One PostgreSQL server, and whether it is used. A query that fails, or waits too long, makes the server
// suspect: others are preferred, and it is probed at once. Only a probe takes it out and only a probe brings
// it back, so that no client's request has to find out. Where lookups go on failing though the probes do not,
// a breaker keeps it as a last resort.

import type { Observe } from '../../observation.ts'
import type { DatabaseSetting, PostgresLocation } from '../../settings.ts'
import { checkRelations } from './check.ts'
import { addressOf, describeError, isAboutData } from './errors.ts'
import {
  createExamination,
  PROBE_TIMEOUT_MS,
  type Replication,
  type ServerState,
  stateAfter,
} from './examination.ts'
import { Diverged, type WalPosition } from './history.ts'
import { followConnection } from './login.ts'
import { openPool, type Row } from './pool.ts'
import type { Question } from './statements.ts'

/** Milliseconds between two probes of a server that is used, and of one that is not. */
const PAUSE = { used: 1000, out: 250 }
/** So many failures in a row open the breaker, whatever the probes say, */
const FAILURES_UNTIL_OUT = 5
/** for so many milliseconds. */
const OUT_MS = 1000

export interface Server {
  /** The setting that names it. */
  readonly setting: DatabaseSetting
  readonly url: string
  /** Host, port and database. */
  readonly address: string
  readonly isReplica: boolean
  /** How many queries it may have in hand. */
  readonly connections: number
  readonly state: () => ServerState
  /** When it could last be used, on the clock of `performance`: now, unless it is out. */
  readonly lastUsed: () => number
  readonly isSuspect: () => boolean
  /** How many queries it has in hand. */
  readonly busy: () => number
  /**
   * @param patience milliseconds until the query is given up
   * @param mayLeave whether to give it up already, when the server has said nothing for a while
   */
  readonly ask: (question: Question, patience: number, mayLeave?: () => boolean) => Promise<readonly Row[]>
  /** Whether it can be reached and holds what is looked up. @throws why not */
  readonly check: () => Promise<void>
  /** Probes it now. @throws where it is not fit to be used */
  readonly probe: () => Promise<void>
  /** Leaves it out where its data are not the primary's. Nothing else is made of it. */
  readonly compare: () => Promise<void>
  /**
   * Where it is in the history of its data; `null` where that is unknown. @throws where it cannot be asked
   */
  readonly readWalPosition: () => Promise<WalPosition | null>
  readonly close: () => Promise<void>
}

export function openServer(
  setting: DatabaseSetting,
  url: string,
  location: PostgresLocation,
  replication: Replication | null,
  observe: Observe,
): Server {
  const { connections, timeout } = location
  const isReplica = setting === 'DATABASE_REPLICA_URLS'
  const address = addressOf(url)
  const connection = followConnection(setting, url, location)
  const connect = connection().connectionTimeoutMillis
  const pool = openPool(connection, { max: connections, connectionTimeoutMillis: connect })
  // Of its own, since the others may all be waiting.
  const prober = openPool(connection, { max: 1, connectionTimeoutMillis: PROBE_TIMEOUT_MS })
  const { examine, compare, readWalPosition } = createExamination(
    prober,
    { address, isReplica },
    replication,
    observe,
  )
  let state: ServerState = 'fit'
  /** Its data are not the primary's, and it is asked only while that is out. */
  let diverged = false
  let suspect = false
  let busy = 0
  let failures = 0
  let openUntil = 0
  let outSince = 0
  let probing: Promise<void> | null = null
  let closed = false

  async function ask(
    question: Question,
    patience: number,
    mayLeave: () => boolean = () => false,
  ): Promise<readonly Row[]> {
    const onNoResponse = () => {
      suspectFailure()
      return mayLeave()
    }
    busy++
    try {
      const rows = await pool.ask(question, patience, onNoResponse)
      failures = 0
      return rows
    } catch (error) {
      if (!isAboutData(error)) countFailure(error)
      throw error
    } finally {
      busy--
    }
  }

  function countFailure(error: unknown): void {
    if (++failures >= FAILURES_UNTIL_OUT && state === 'fit') {
      failures = 0
      openUntil = performance.now() + OUT_MS
      change('faulty', error)
    }
    suspectFailure()
  }

  function suspectFailure(): void {
    suspect = true
    probe().catch(() => {})
  }

  function probe(): Promise<void> {
    probing ??= examine()
      .then(
        () => {
          suspect = false
          diverged = false
          if (performance.now() >= openUntil) change('fit', null)
        },
        (error: unknown) => {
          judge(error)
          throw error
        },
      )
      .finally(() => {
        probing = null
      })
    return probing
  }

  function judge(error: unknown): void {
    // That it lags is the smaller news.
    const isNews = error instanceof Diverged && !diverged
    diverged ||= isNews
    change(stateAfter(error), error, isNews)
  }

  function change(to: ServerState, why: unknown, isNews = false): void {
    if (closed || (to === state && !isNews)) return
    state = to
    if (to === 'out') {
      outSince = performance.now()
      // Once it is back, it is another server than the one that failed.
      openUntil = 0
      pool.cut()
    }
    observe(
      to === 'fit'
        ? { type: 'server-back', server: address }
        : { type: 'server-out', server: address, reason: describeError(why) },
    )
  }

  let next = setTimeout(round, PAUSE.used).unref()
  async function round(): Promise<void> {
    await probe().catch(() => {})
    if (!closed) next = setTimeout(round, state === 'out' ? PAUSE.out : PAUSE.used).unref()
  }

  return {
    setting,
    url,
    address,
    isReplica,
    connections,
    state: () => (diverged && replication?.isPrimaryOut() === false ? 'out' : state),
    lastUsed: () => (state === 'out' ? outSince : performance.now()),
    isSuspect: () => suspect,
    busy: () => busy,
    ask,
    check: () => checkRelations(connection(), timeout),
    probe,
    compare: () =>
      compare().catch((error: unknown) => {
        if (error instanceof Diverged) judge(error)
      }),
    readWalPosition,
    close: async () => {
      closed = true
      clearTimeout(next)
      await Promise.all([pool.close(), prober.close()])
    },
  }
}
