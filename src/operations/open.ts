// The page for operators, in the process that has the admin port.

import type { Config } from '../config.ts'
import type { CountsOf } from '../counts.ts'
import type { PagePart } from '../pages/part.ts'
import { type CountedByAll, type Looked, lookedAt } from './looked.ts'
import { type Rendered, render } from './page.ts'
import type { Samples } from './samples.ts'
import { database } from './sections/database.ts'
import { dialect } from './sections/dialect.ts'
import { errors } from './sections/errors.ts'
import { graphql } from './sections/graphql.ts'
import { overTime } from './sections/over-time.ts'
import { summary } from './sections/summary.ts'
import { latency, traffic } from './sections/traffic.ts'
import type { ServerTimes } from './server-times.ts'
import { within } from './within.ts'

/** Milliseconds that all processes have to say what they have counted, and the store whether it is ready. */
const LOOK_TIMEOUT_MS = 2_000
/** Milliseconds for which what was found out is shown to everybody who looks. */
const KEPT_MS = 1_000

export interface OperatorSources {
  readonly samples: Samples
  readonly count: () => Promise<CountedByAll>
  /** Why lookups cannot be answered; `null` where they can. */
  readonly whyNotReady: () => Promise<string | null>
  /** Which tables are empty, and what to do; `null` for none. */
  readonly whatIsEmpty: () => Promise<string | null>
  /** Lines that `/ready` has, too, and whether something else answers while the store cannot. */
  readonly notes: () => readonly string[]
  readonly isStandIn: () => boolean
  /** The settings in force. */
  readonly config: () => Config
  /** The name of the database, without secrets. */
  readonly nameOf: (database: Config['database']) => string
  readonly serverTimes: ServerTimes
  /** What else there is to see. @param host under which the admin port was asked */
  readonly parts: (counts: CountsOf, host: string) => readonly PagePart[]
}

export interface OperatorPage {
  readonly show: (host: string, isPaused: boolean) => Promise<Rendered>
}

interface Found {
  readonly looked: Looked | undefined
  readonly reason: string | null | undefined
  readonly empty: string | null
}

export function openOperatorPage(sources: OperatorSources): OperatorPage {
  const { samples } = sources
  let finding: Promise<Found> | null = null

  /** Once for all who look at the same time: a crowd costs no more than one. */
  function find(): Promise<Found> {
    if (finding !== null) return finding
    const forget = () => {
      setTimeout(() => {
        finding = null
      }, KEPT_MS).unref()
    }
    finding = look().finally(forget)
    return finding
  }

  async function look(): Promise<Found> {
    const counting = sources.count().then((counted) => lookedAt(counted, samples))
    const [looked, reason, empty = null] = await Promise.all([
      within(LOOK_TIMEOUT_MS, counting),
      within(LOOK_TIMEOUT_MS, sources.whyNotReady()),
      within(LOOK_TIMEOUT_MS, sources.whatIsEmpty()),
    ])
    return { looked, reason, empty }
  }

  async function show(host: string, isPaused: boolean): Promise<Rendered> {
    const { looked, reason, empty } = await find()
    const { config, notes, isStandIn, nameOf, serverTimes } = sources
    const shown = {
      reason,
      empty,
      notes: notes(),
      isStandIn: isStandIn(),
      database: nameOf(config().database),
    }
    const ofFigures = looked === undefined ? [] : figureParts(looked, isPaused, serverTimes)
    const more = sources.parts(looked?.counts ?? (() => []), host)
    const parts = [
      ...ofFigures,
      ...more,
      { title: 'Dialect in force', body: () => dialect(config().changedDialect) },
    ]
    return render(summary(looked, shown), parts, isPaused)
  }

  return { show }
}

function figureParts(looked: Looked, isPaused: boolean, times: ServerTimes): readonly PagePart[] {
  return [
    { title: 'The last 15 minutes', body: () => overTime(looked, isPaused) },
    { title: 'Traffic', body: () => traffic(looked) },
    { title: 'Latency', body: () => latency(looked) },
    { title: 'Errors', body: () => errors(looked) },
    { title: 'Database', body: () => database(looked, times) },
    { title: 'GraphQL operations', body: () => graphql(looked) },
  ]
}
