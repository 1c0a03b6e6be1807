// One PostgreSQL server, and whether it is used. A query that fails, or waits too long, makes the server suspect: others
// are preferred, and it is probed at once. Only a probe takes it out and only a probe brings it back, so that no client's
// request has to find out.

import type pg from 'pg'
import type { Observe } from '../../observe/observation.ts'
import type { DatabaseSetting, PostgresLocation } from '../../settings.ts'
import { addressOf } from './address.ts'
import { checkRelations } from './check.ts'
import { connectionTo } from './connection.ts'
import type { LagMeter } from './lag.ts'
import { openPool, type Row, startTimer } from './pool.ts'
import { askById, type Question, statements } from './statements.ts'
import { describeTrouble, isAboutData, isPassing, Silence, sqlState, unusable } from './trouble.ts'

/** Milliseconds without an answer after which a server is suspect. */
export const SILENCE = 150
/** Milliseconds that a probe waits for an answer. */
const PROBE = 500
/** Milliseconds between two probes of a server that is used, and of one that is not. */
const PAUSE = { used: 1000, out: 250 }

/** `faulty` is what can be reached and does not answer as it should: used where nothing else is. */
export type ServerState = 'fit' | 'faulty' | 'out'

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
  readonly isSuspect: () => boolean
  /** How many queries it has in hand. */
  readonly busy: () => number
  /** @param patience milliseconds until the query is given up */
  readonly ask: (question: Question, patience: number) => Promise<readonly Row[]>
  /** Whether it can be reached and holds what is looked up. @throws why not */
  readonly check: () => Promise<void>
  /** Probes it now. @throws where it is not fit to be used */
  readonly probe: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The primary's position in its log, or the one a standby has replayed. Engines other than PostgreSQL may not know it. */
const position: Question = {
  name: 'position',
  text: `SELECT pg_is_in_recovery(), ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
    ELSE pg_current_wal_lsn() END) - '0/0'::pg_lsn)::bigint WHERE $1::text IS NOT NULL`,
  values: [''],
}

export function openServer(
  setting: DatabaseSetting,
  url: string,
  { connections, timeout, maxLag }: PostgresLocation,
  lag: LagMeter | null,
  observe: Observe,
): Server {
  const isReplica = setting === 'DATABASE_REPLICA_URLS'
  const address = addressOf(url)
  const config = configure(setting, url, timeout)
  const pool = openPool({ ...config, max: connections })
  // Of its own, since the others may all be waiting.
  const prober = openPool({ ...config, max: 1 })
  let state: ServerState = 'fit'
  let suspect = false
  let busy = 0
  let knowsPosition = lag !== null
  let probing: Promise<void> | null = null
  let closed = false

  async function ask(question: Question, patience: number): Promise<readonly Row[]> {
    busy++
    const watch = startTimer(SILENCE, doubt)
    try {
      return await pool.ask(question, patience)
    } catch (error) {
      if (!isAboutData(error)) doubt()
      throw error
    } finally {
      watch.stop()
      busy--
    }
  }

  function doubt(): void {
    suspect = true
    probe().catch(() => {})
  }

  function probe(): Promise<void> {
    probing ??= examine()
      // A connection that was cut while it was idle says nothing about the server.
      .catch((error: unknown) => (error instanceof Silence ? Promise.reject(error) : examine()))
      .then(
        () => judge(null),
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

  /** The very lookups that requests make, and how far it is. */
  async function examine(): Promise<void> {
    await prober.ask(askById(statements.usersById, ['0']), PROBE)
    await prober.ask(askById(statements.appsById, ['0']), PROBE)
    if (knowsPosition && lag !== null) await examineLag(lag)
  }

  async function examineLag(meter: LagMeter): Promise<void> {
    const rows = await prober.ask(position, PROBE).catch((error: unknown) => {
      if (sqlState(error) === null) throw error
      knowsPosition = false
      observe({ type: 'lag-unknown', server: address, reason: describeTrouble(error) })
      return []
    })
    const [isStandby, reached] = rows[0] ?? []
    if (typeof reached !== 'number') return
    if (!isReplica && isStandby === false) meter.primaryIsAt(reached)
    if (isReplica && isStandby === true && meter.isBehind(reached))
      throw new Error(`it is more than ${maxLag} s behind the primary`)
  }

  function judge(error: unknown): void {
    if (closed) return
    const before = state
    state = stateAfter(error)
    if (state === 'fit') suspect = false
    if (state === before) return
    if (state === 'out') pool.cut()
    observe(
      state === 'fit'
        ? { type: 'server-back', server: address }
        : { type: 'server-out', server: address, reason: describeTrouble(error) },
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
    state: () => state,
    isSuspect: () => suspect,
    busy: () => busy,
    ask,
    check: () => checkRelations(config),
    probe,
    close: async () => {
      closed = true
      clearTimeout(next)
      await Promise.all([pool.close(), prober.close()])
    },
  }
}

function stateAfter(error: unknown): ServerState {
  if (error === null) return 'fit'
  return sqlState(error) === null || isPassing(error) ? 'out' : 'faulty'
}

function configure(setting: DatabaseSetting, url: string, timeout: number): pg.PoolConfig {
  try {
    return connectionTo(url, { connectTimeout: timeout, statementTimeout: timeout, readOnly: true })
  } catch (error) {
    throw unusable(setting, url, error)
  }
}
