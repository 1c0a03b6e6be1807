// What happens in the service, as data: code reports `observe({ type: 'server-out', … })`, and the log and the
// metrics decide what to show. A line of this table declares a kind of event: its level in the log and its fields.

export type Level = 'debug' | 'info' | 'warn' | 'error'

interface Kind<Fields> {
  /** `null` if the event is counted and not logged. */
  readonly level: Level | null
  /** The field that the log adds up, in one line a second: an outage may fail thousands of requests. */
  readonly sum: 'count' | 'lost' | null
  /** Never set: it carries the type. */
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

export const kinds = {
  started: info<{ address: string; admin: string | null; store: string }>(),
  stopping: info<Reason>(),
  stopped: info(),
  /** A name in the environment is like that of a setting, or the system has a limit below a setting. */
  'setting-warning': warn<Reason>(),
  'admin-skipped': warn<Reason>(),
  'worker-lost': error<Reason>(),
  restarting: info(),
  restarted: info(),
  'restart-failed': error<Reason>(),
  /** The database was opened again: the states of its servers before that are over. */
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
  /** An error that no table foresees, answered as `Internal`. */
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
  /** A row has a number that no response can carry. */
  'rows-refused': error<{ relation: 'users' | 'apps'; id: string; column: string } & Count>('count'),
  'database-replaced': info<Path>(),
  /** The file is missing, or cannot be used: the previous data is served. */
  'database-lost': error<Path & Reason>(),
  'database-back': info<Path>(),
  'database-warning': warn<Path & Reason>(),
  /** There are no users, no apps, or neither. */
  'database-empty': warn<{ database: string } & Reason>(),
  'server-known': debug<Server>(),
  'server-warning': warn<Server & Reason>(),
  'server-out': error<Server & Reason>(),
  'server-back': info<Server>(),
  'lag-unknown': warn<Server & Reason>(),
  'history-unknown': warn<Server & Reason>(),

  'shadow-compared': debug<{ result: ShadowResult } & Count>(),
  /** The response differs from the old service's: each cause once a minute. */
  'shadow-differs': warn<{ requestId: string; method: string } & Difference>(),
  /** A difference does not count (`reason`: ignored, tolerated or learned): each cause once a minute. */
  'shadow-ignored': info<{ requestId: string; method: string } & Difference & Reason>(),
  /** Each difference, for the metrics. */
  'shadow-difference': unlogged<Difference>(),
  /** The old service did not respond, or its response cannot be compared: each reason once a minute. */
  'shadow-unanswered': warn<Reason>(),
  'cutover-set': info<{ share: number; before: number; source: 'settings' | 'admin port' }>(),
  /** The guard has set the dial to 0: so many of the compared responses were bad. */
  'cutover-turned-back': error<{ before: number; bad: number; compared: number }>(),
  'cutover-old-out': error<Reason>(),
  'cutover-old-back': info(),
  'cutover-failed': warn<Side & Reason & Count>('count'),
  /** A request of a client of this side was answered, by the other side if this one could not. */
  'cutover-answered': unlogged<Side & { answeredBy: 'old' | 'new' | 'none' }>(),
  /** The old service answered a request that was passed to it. */
  'cutover-passed': unlogged<{ duration: number }>(),

  /** The log itself: nothing read the lines before. */
  'log-lines-lost': warn<Count>(),
  'access-log-failed': warn<Path & Reason & { lost: number }>('lost'),
}

type Kinds = typeof kinds
type FieldsOf<K> = K extends Kind<infer Fields> ? Readonly<Fields> : never
/** The event of each kind. */
export type Observations = { readonly [Type in keyof Kinds]: { readonly type: Type } & FieldsOf<Kinds[Type]> }
export type Observation = Observations[keyof Kinds]
export type Observe = (observation: Observation) => void

/** What a request was about. Nothing here is text from the client. */
export interface Subject {
  /** The legacy event, `graphql`, `explain`, `page` or `contract`; `none` if unknown. */
  readonly event: string
  readonly format: 'JSON' | 'XML' | 'HTML' | 'SDL'
  /** `ok`, `InvalidGraphQL`, or the code of a failure (errors.ts). */
  readonly outcome: string
  /** How many values it asked for. */
  readonly values: number
}

/** What a client uses of GraphQL. */
export interface GraphqlUse {
  /** The name that it gives itself: plain, and 64 characters at most. */
  readonly client: string
  readonly operation: string
  /** Such as `User.rank`. */
  readonly fields: readonly string[]
}

/**
 * The same bytes; the same meaning; the same except for ignored differences; another meaning; the old service did
 * not respond; there was no time to compare; or it answered a request that the gateway could not answer.
 */
export type ShadowResult =
  | 'bytes'
  | 'meaning'
  | 'ignored'
  | 'different'
  | 'failed'
  | 'dropped'
  | 'gateway-failed'

interface Difference {
  readonly event: string
  readonly format: string
  readonly field: string
  readonly kind: string
}
