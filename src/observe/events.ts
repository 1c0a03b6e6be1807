// The table of events. Code calls `observe({ type: 'server-out', server, reason })`, and the log and the
// metrics decide what to show. A line of the table declares a kind of event: its level in the log, and its
// fields, which docs/operate.md promises.

export type Level = 'debug' | 'info' | 'warn' | 'error'

interface Kind<Fields> {
  /** `null` if the event is counted and not logged. */
  readonly level: Level | null
  /** The field that the log adds up in one line a second: an outage may fail thousands of requests. */
  readonly sum: 'count' | 'lost' | null
  /** Never set: only the type is used. */
  readonly fields?: Fields
}

const kindAt =
  (level: Level | null) =>
  <Fields = unknown>(sum: Kind<Fields>['sum'] = null): Kind<Fields> => ({ level, sum })
const [debug, info, warn, error] = [kindAt('debug'), kindAt('info'), kindAt('warn'), kindAt('error')]
const unlogged = kindAt(null)

type Reason = { reason: string }
type Count = { count: number }
type Path = { path: string }
type Server = { server: string }
type Side = { side: 'old' | 'new' }
type AnsweredBy = { answeredBy: 'old' | 'new' }

export const kinds = {
  started: info<{ address: string; admin: string | null; store: string }>(),
  stopping: info<Reason>(),
  stopped: info(),
  /** A name in the environment is almost that of a setting, or a limit of the system is below a setting. */
  'setting-warning': warn<Reason>(),
  'admin-skipped': warn<Reason>(),
  'worker-lost': error<Reason>(),
  restarting: info(),
  restarted: info(),
  'restart-failed': error<Reason>(),
  /** The database was opened again: the former states of its servers no longer count. */
  reloaded: info(),
  'reload-failed': error<Reason>(),
  'documents-read': info<Path & Count>(),

  /** A response was sent. `duration` is in milliseconds, here and below. */
  request: info<{ requestId: string; about: Subject; status: number; duration: number }>(),
  /** The log sums up requests with the outcome `Overloaded`, and those with `Unavailable`. */
  'requests-refused': error<Count>('count'),
  'requests-failed': error<Count>('count'),
  'connections-refused': warn<Count>('count'),
  'slow-clients-cut': warn<Count>('count'),
  /** An error that is not in the table of failures. The response is `Internal`. */
  unexpected: error<{ requestId: string; error: unknown }>(),
  /** Not logged, since clients choose the names. */
  'graphql-operation': unlogged<GraphqlUse>(),

  /** `questions` lookups share the query, and have `values` together. */
  'store-query': debug<{ lookup: string; questions: number; values: number; duration: number }>(),
  'store-failed': error<{ error: unknown } & Count>('count'),
  /** A query failed on one server of several, and goes to another. */
  'store-retried': warn<Server & Reason>(),
  /** A call to an old service failed because of some of its values, and was repeated in parts. */
  'store-split': warn<{ calls: number } & Reason>(),
  /** A row has a number that no response can represent. */
  'rows-refused': error<{ relation: 'users' | 'apps'; id: string; column: string } & Count>('count'),
  'database-replaced': info<Path>(),
  /** The file is missing or unusable: the gateway serves the previous data. */
  'database-lost': error<Path & Reason>(),
  'database-back': info<Path>(),
  'database-warning': warn<Path & Reason>(),
  /** There are no users, no apps, or neither. */
  'database-empty': warn<{ database: string } & Reason>(),
  /** The check of an operator's views found a fault. */
  'database-finding': warn<{ database: string; mend: string } & Reason>(),
  'server-known': debug<Server>(),
  'server-warning': warn<Server & Reason>(),
  'server-out': error<Server & Reason>(),
  'server-back': info<Server>(),
  'lag-unknown': warn<Server & Reason>(),
  'history-unknown': warn<Server & Reason>(),

  'shadow-compared': debug<AnsweredBy & { result: ShadowResult } & Count>(),
  /** The responses of the two sides differ. Logged once a minute for each cause. */
  'shadow-differs': warn<{ requestId: string; method: string } & Difference>(),
  /**
   * A difference does not count (`reason`: ignored, tolerated, learned, too long). Once a minute for each
   * cause.
   */
  'shadow-ignored': info<{ requestId: string; method: string } & Difference & Reason>(),
  /** Each difference. */
  'shadow-difference': unlogged<Difference>(),
  /** The old service did not respond, or its response cannot be compared. Once a minute for each reason. */
  'shadow-unanswered': warn<Reason>(),
  /** `share` is that of the events that have no share in `events`. */
  'cutover-set': info<{
    share: number
    events: Readonly<Record<string, number>>
    before: number
    source: string
  }>(),
  /**
   * The guard has set the dial to 0: `bad` of the compared responses to `event`, whose share was `before`,
   * differed or failed, for so many clients.
   */
  'cutover-turned-back': error<{
    before: number
    event: string
    bad: number
    compared: number
    clients: number
  }>(),
  'cutover-state-failed': error<Path & Reason>(),
  'cutover-old-out': error<Reason>(),
  'cutover-old-back': info(),
  'cutover-failed': warn<Side & Reason & Count>('count'),
  /** A client of this side got a response, from the other side if this side failed. */
  'cutover-answered': unlogged<Side & { answeredBy: 'old' | 'new' | 'none' }>(),
  /** The old service responded to a request that was passed on. */
  'cutover-passed': unlogged<{ duration: number }>(),

  /** The log itself: its reader was too slow. */
  'log-lines-lost': warn<Count>(),
  'access-log-failed': warn<Path & Reason & { lost: number }>('lost'),
}

type Kinds = typeof kinds
type FieldsOf<K> = K extends Kind<infer Fields> ? Readonly<Fields> : never
/** The event of each kind. */
export type Observations = { readonly [Type in keyof Kinds]: { readonly type: Type } & FieldsOf<Kinds[Type]> }
export type Observation = Observations[keyof Kinds]
export type Observe = (observation: Observation) => void

/** What a request was about. It has no text from the client, so it can be a label of a metric. */
export interface Subject {
  /** The legacy event, `graphql`, `explain`, `page` or `contract`; `none` if unknown. */
  readonly event: string
  readonly format: 'JSON' | 'XML' | 'HTML' | 'SDL'
  /** `ok`, `InvalidGraphQL`, or the code of a failure (errors.ts). */
  readonly outcome: string
  /** The number of values in the request. */
  readonly values: number
}

/** A GraphQL operation and its fields, for usage counts. */
export interface GraphqlUse {
  /** The name from the client's headers: at most 64 plain characters. */
  readonly client: string
  readonly operation: string
  /** Such as `User.rank`. */
  readonly fields: readonly string[]
}

export type ShadowResult =
  /** The same bytes; the same meaning; the same except for ignored differences. */
  | 'bytes'
  | 'meaning'
  | 'ignored'
  | 'different'
  /** The old service did not respond. */
  | 'failed'
  /** The gateway had no time to compare, or a response was too large. */
  | 'dropped'
  /** The gateway failed, and the old service did not. */
  | 'gateway-failed'

interface Difference extends Readonly<AnsweredBy> {
  readonly event: string
  readonly format: string
  readonly field: string
  readonly kind: string
}
