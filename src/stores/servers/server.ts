// One server: its connections, and whether it is used.

import { type Callers, onceAllHaveLeft } from '../../caller.ts'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Observe } from '../../observe/events.ts'
import type { Engine, Place, Question, Row } from './engine.ts'
import { QueryCancelled, QueryTimeout } from './errors.ts'
import { createExamination, probePatience, type ServerState } from './examination.ts'
import { watchHealth } from './health.ts'
import type { Replication } from './replication.ts'
import type { SilentTable } from './table-probe.ts'
import { startTimer } from './timer.ts'

/** Milliseconds without an answer after which one may wonder. */
const NO_RESPONSE_MS = 150

/** One try of a query at one server. */
export interface Attempt {
  readonly question: Question
  /** The clients that wait for it. Once all have left, it is cancelled. */
  readonly callers: Callers
  /** Milliseconds until it is given up. */
  readonly patience: number
  /** Whether to give it up already, when the server has said nothing for a while. */
  readonly mayLeave: () => boolean
}

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
  /** Why a question has no answer here: its table is locked, say. */
  readonly silenceAbout: (question: Question) => SilentTable | null
  /** How many queries it has in hand. */
  readonly busy: () => number
  /** @throws the engine's error, that of the connection, QueryTimeout, QueryCancelled or TakenOut */
  readonly ask: (attempt: Attempt) => Promise<readonly Row[]>
  /** Whether it can be reached and holds what is looked up. @throws why not */
  readonly check: () => Promise<void>
  /** Probes it now. @throws where it is not fit to be used */
  readonly probe: () => Promise<void>
  /** Where it is; `null` where that is unknown. @throws where it cannot be asked */
  readonly readPosition: () => Promise<Place | null>
  readonly close: () => Promise<void>
}

export function openServer(
  engine: Engine,
  setting: DatabaseSetting,
  url: string,
  location: ServersLocation,
  replication: Replication | null,
  observe: Observe,
): Server {
  const { connections, timeout } = location
  const isReplica = setting === 'DATABASE_REPLICA_URLS'
  const { errors } = engine
  const address = errors.addressOf(url)
  const access = engine.reach(setting, url, location)
  const pool = access.openPool(connections, 'asked')
  // Of its own, since the others may all be waiting.
  const prober = access.openPool(1, 'connected')
  const { examine, readPosition } = createExamination(
    engine,
    (question) => prober.begin(question, probePatience(timeout)).rows,
    { address, isPrimary: !isReplica && url === location.url },
    replication,
    observe,
  )
  const cut = () => {
    pool.cut()
    prober.cut()
  }
  const health = watchHealth(address, examine, cut, observe, errors)
  let busy = 0

  async function ask({ question, callers, patience, mayLeave }: Attempt): Promise<readonly Row[]> {
    const query = pool.begin(question, patience)
    let endWatch = () => {}
    const silence = startTimer(NO_RESPONSE_MS, () => {
      health.suspect()
      if (mayLeave()) query.giveUp(new QueryTimeout(NO_RESPONSE_MS))
      // Its session ends with it: clients that come and go must not cost a quick query one.
      else endWatch = onceAllHaveLeft(callers, query.cancel)
    })
    busy++
    try {
      const rows = await query.rows
      health.succeeded()
      return rows
    } catch (error) {
      if (!errors.isAboutData(error) && !(error instanceof QueryCancelled)) health.failed(error)
      throw error
    } finally {
      busy--
      silence.stop()
      endWatch()
    }
  }

  async function check(): Promise<void> {
    for (const reason of await access.check()) observe({ type: 'server-warning', server: address, reason })
  }

  return {
    setting,
    url,
    address,
    isReplica,
    connections,
    // One with other data than the primary's is asked only while that is out.
    state: () => (health.isDiverged() && replication?.isPrimaryOut() === false ? 'out' : health.state()),
    lastUsed: health.lastUsed,
    isSuspect: health.isSuspect,
    silenceAbout: ({ table }) => {
      const silence = health.silence()
      return silence?.table === table ? silence : null
    },
    busy: () => busy,
    ask,
    check,
    probe: health.probe,
    readPosition,
    close: async () => {
      health.close()
      await Promise.all([pool.close(), prober.close()])
    },
  }
}
