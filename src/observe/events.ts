// The table of events. Code calls `observe({ type: 'server-out', server, reason })`, and the log and the
// metrics decide what to show. A line of the table declares a kind of event: its level in the log, and its
// fields. docs/operate.md says when each is logged, and promises the fields.

export type Level = 'debug' | 'info' | 'warn' | 'error'

interface ObservationKind<Fields> {
  /** `null` if the event is counted and not logged. */
  readonly level: Level | null
  /** The field that the log adds up in one line a second: an outage may fail thousands of requests. */
  readonly sum: 'count' | 'lost' | null
  /** Never set: only the type is used. */
  readonly fields?: Fields
}

const kindAt =
  (level: Level | null) =>
  <Fields = unknown>(sum: ObservationKind<Fields>['sum'] = null): ObservationKind<Fields> => ({ level, sum })
const [debug, info, warn, error] = [kindAt('debug'), kindAt('info'), kindAt('warn'), kindAt('error')]
const unlogged = kindAt(null)

type ReasonField = { reason: string }
type CountField = { count: number }
type PathField = { path: string }
type ServerField = { server: string }
type SideField = { side: 'old' | 'new' }
type AnsweredByField = { answeredBy: 'old' | 'new' }

export const kinds = {
  started: info<{ address: string; admin: string | null; store: string }>(),
  stopping: info<ReasonField>(),
  stopped: info(),
  'setting-warning': warn<ReasonField>(),
  'admin-skipped': warn<ReasonField>(),
  'worker-lost': error<ReasonField>(),
  restarting: info(),
  restarted: info(),
  'restart-failed': error<ReasonField>(),
  reloaded: info(),
  'reload-failed': error<ReasonField>(),
  'documents-read': info<PathField & CountField>(),

  /** A response was sent. `duration` is in milliseconds, here and below. */
  request: info<{ requestId: string; about: RequestSubject; status: number; duration: number }>(),
  /** The log sums up requests with the outcome `Overloaded`, and those with `Unavailable`. */
  'requests-refused': error<CountField>('count'),
  'requests-failed': error<CountField>('count'),
  'connections-refused': warn<CountField>('count'),
  'slow-clients-cut': warn<CountField>('count'),
  /** An error that is not in the table of failures. The response is `Internal`. */
  unexpected: error<{ requestId: string; error: unknown }>(),
  /** Not logged, since clients choose the names. */
  'graphql-operation': unlogged<GraphqlUse>(),

  /** `questions` lookups share the query, and have `values` together. */
  'store-query': debug<{ lookup: string; questions: number; values: number; duration: number }>(),
  'store-failed': error<{ error: unknown } & CountField>('count'),
  'store-retried': warn<ServerField & ReasonField>(),
  'store-split': warn<{ calls: number } & ReasonField>(),
  'rows-refused': error<{ relation: 'users' | 'apps'; id: string; column: string } & CountField>('count'),
  'database-replaced': info<PathField>(),
  'database-lost': error<PathField & ReasonField>(),
  'database-back': info<PathField>(),
  'database-warning': warn<PathField & ReasonField>(),
  'database-empty': warn<{ database: string } & ReasonField>(),
  'database-finding': warn<{ database: string; mend: string } & ReasonField>(),
  'server-known': debug<ServerField>(),
  'server-warning': warn<ServerField & ReasonField>(),
  'server-out': error<ServerField & ReasonField>(),
  'server-back': info<ServerField>(),
  'lag-unknown': warn<ServerField & ReasonField>(),
  'history-unknown': warn<ServerField & ReasonField>(),

  'shadow-compared': debug<AnsweredByField & { result: ShadowResult } & CountField>(),
  'shadow-differs': warn<{ requestId: string; method: string } & DifferenceFields>(),
  'shadow-ignored': info<{ requestId: string; method: string } & DifferenceFields & ReasonField>(),
  'shadow-difference': unlogged<DifferenceFields>(),
  'shadow-unanswered': warn<ReasonField>(),
  /** `share` is that of the events that have no share in `events`. */
  'cutover-set': info<{
    share: number
    events: Readonly<Record<string, number>>
    before: number
    source: string
  }>(),
  'cutover-turned-back': error<{
    before: number
    event: string
    bad: number
    compared: number
    clients: number
  }>(),
  'cutover-state-failed': error<PathField & ReasonField>(),
  'cutover-old-out': error<ReasonField>(),
  'cutover-old-back': info(),
  'cutover-failed': warn<SideField & ReasonField & CountField>('count'),
  /** A client of this side got a response, from the other side if this side failed. */
  'cutover-answered': unlogged<SideField & { answeredBy: 'old' | 'new' | 'none' }>(),
  /** The old service responded to a request that was passed on. */
  'cutover-passed': unlogged<{ duration: number }>(),

  'log-lines-lost': warn<CountField>(),
  'access-log-failed': warn<PathField & ReasonField & { lost: number }>('lost'),
}

type Kinds = typeof kinds
type ObservationFields<K> = K extends ObservationKind<infer Fields> ? Readonly<Fields> : never
/** The event of each kind. */
export type Observations = {
  readonly [Type in keyof Kinds]: { readonly type: Type } & ObservationFields<Kinds[Type]>
}
export type Observation = Observations[keyof Kinds]
export type Observe = (observation: Observation) => void

/** The subject of a request. It has no text from the client, so each member can be a label of a metric. */
export interface RequestSubject {
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

interface DifferenceFields extends Readonly<AnsweredByField> {
  readonly event: string
  readonly format: string
  readonly field: string
  readonly kind: string
}
