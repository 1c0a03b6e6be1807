// What happens in the service, as data. Code says `observe({ type: … })`; the logger and the metrics decide
// what to show of it.

export type Observation =
  | {
      readonly type: 'started'
      readonly address: string
      readonly admin: string | null
      readonly store: string
    }
  /** A name in the environment that is like that of a setting. */
  | { readonly type: 'setting-warning'; readonly reason: string }
  | { readonly type: 'admin-skipped'; readonly reason: string }
  | { readonly type: 'stopping'; readonly reason: string }
  | { readonly type: 'worker-lost'; readonly reason: string }
  | { readonly type: 'restarting' }
  | { readonly type: 'restarted' }
  | { readonly type: 'restart-failed'; readonly reason: string }
  /** The database was opened anew: what was known of its servers is over. */
  | { readonly type: 'reloaded' }
  | { readonly type: 'reload-failed'; readonly reason: string }
  /** The manifest of trusted documents was read: at the start, and again. */
  | { readonly type: 'documents-read'; readonly path: string; readonly count: number }
  /** So many since the last of these, beyond MAX_CONNECTIONS. */
  | { readonly type: 'connections-refused'; readonly count: number }
  /** So many since the last of these, with `Overloaded`. */
  | { readonly type: 'requests-refused'; readonly count: number }
  /** So many since the last of these, with `Unavailable`. */
  | { readonly type: 'requests-failed'; readonly count: number }
  /** So many connections since the last of these were closed because their clients read too slowly. */
  | { readonly type: 'slow-clients-cut'; readonly count: number }
  | { readonly type: 'stopped' }
  | {
      readonly type: 'request'
      readonly requestId: string
      readonly about: Subject
      readonly status: number
      /** Milliseconds from the first byte of the request to the end of the answer. */
      readonly duration: number
    }
  | {
      readonly type: 'store-query'
      readonly lookup: string
      /** How many look-ups share the query, and how many values these are together. */
      readonly questions: number
      readonly values: number
      /** Milliseconds until the store answered, or failed. */
      readonly duration: number
    }
  /** So many queries failed; the error is that of the first. */
  | { readonly type: 'store-failed'; readonly error: unknown; readonly count: number }
  /** Another file took the place of the one that was served, and is served from now on. */
  | { readonly type: 'database-replaced'; readonly path: string }
  /** The file that is served is no longer there, or what is there cannot be used. */
  | { readonly type: 'database-lost'; readonly path: string; readonly reason: string }
  | { readonly type: 'database-back'; readonly path: string }
  /** A database file can be served, and not well. */
  | { readonly type: 'database-warning'; readonly path: string; readonly reason: string }
  /** The database has no users, no apps, or neither. The reason says which, and what to do. */
  | { readonly type: 'database-empty'; readonly database: string; readonly reason: string }
  /**
   * So many rows since the last of these have a number that cannot be answered: the first of them, and its
   * column.
   */
  | {
      readonly type: 'rows-refused'
      readonly relation: 'users' | 'apps'
      readonly id: string
      readonly column: string
      readonly count: number
    }
  /** A query failed on one server of several, and goes to another. */
  | { readonly type: 'store-retried'; readonly server: string; readonly reason: string }
  /** A call to an old service failed because of some of its values, and was repeated in parts. */
  | { readonly type: 'store-split'; readonly calls: number; readonly reason: string }
  /** A database server that lookups are read from, at the start. */
  | { readonly type: 'server-known'; readonly server: string }
  /** A database server can be used, and its operator should know something about it. */
  | { readonly type: 'server-warning'; readonly server: string; readonly reason: string }
  | { readonly type: 'server-out'; readonly server: string; readonly reason: string }
  | { readonly type: 'server-back'; readonly server: string }
  | { readonly type: 'lag-unknown'; readonly server: string; readonly reason: string }
  | { readonly type: 'history-unknown'; readonly server: string; readonly reason: string }
  /** So many answers were compared with the old service's, or were not. */
  | { readonly type: 'shadow-compared'; readonly result: ShadowResult; readonly count: number }
  /** Where an answer means something else than the old service's: each cause once a minute. */
  | {
      readonly type: 'shadow-differs'
      readonly requestId: string
      readonly event: string
      readonly method: string
      readonly format: string
      readonly field: string
      readonly kind: string
    }
  /** A difference does not count (`reason`: ignored, tolerated or learned): each cause once a minute. */
  | {
      readonly type: 'shadow-ignored'
      readonly requestId: string
      readonly event: string
      readonly method: string
      readonly format: string
      readonly field: string
      readonly kind: string
      readonly reason: string
    }
  /** One thing in which an answer means something else, each time: it is counted, and not logged. */
  | {
      readonly type: 'shadow-difference'
      readonly event: string
      readonly format: string
      readonly field: string
      readonly kind: string
    }
  /** The old service did not answer, or not in a way that can be compared: each reason once a minute. */
  | { readonly type: 'shadow-unanswered'; readonly reason: string }
  /** The dial of a cutover is at this share of the clients: at the start, or set anew. */
  | {
      readonly type: 'cutover-set'
      readonly share: number
      readonly before: number
      readonly source: 'settings' | 'admin port'
    }
  /** So many of the compared answers were bad that the guard has turned the dial back, to 0. */
  | {
      readonly type: 'cutover-turned-back'
      readonly before: number
      readonly bad: number
      readonly compared: number
    }
  /** The old service of a cutover does not answer: no request waits for it. */
  | { readonly type: 'cutover-old-out'; readonly reason: string }
  | { readonly type: 'cutover-old-back' }
  /** So many requests could not be answered by a side; the reason is that of the first. */
  | {
      readonly type: 'cutover-failed'
      readonly side: 'old' | 'new'
      readonly reason: string
      readonly count: number
    }
  /** A request of a client of this side was answered, by the other one where that had to stand in. */
  | {
      readonly type: 'cutover-answered'
      readonly side: 'old' | 'new'
      readonly answeredBy: 'old' | 'new' | 'none'
    }
  /** The old service answered a request that was passed to it, after so many milliseconds. */
  | { readonly type: 'cutover-passed'; readonly duration: number }
  /**
   * So many lines of the log, since the last of these, were not written, since the lines before were not
   * read.
   */
  | { readonly type: 'log-lines-lost'; readonly count: number }
  /** ACCESS_LOG cannot be written. So many lines were lost since the last of these. */
  | {
      readonly type: 'access-log-failed'
      readonly path: string
      readonly reason: string
      readonly lost: number
    }
  /** A GraphQL operation of a client is run. It is counted, and not logged: names come from the client. */
  | ({ readonly type: 'graphql-operation' } & GraphqlUse)
  /** An error that no table foresees: answered as `Internal`, and logged under the id the answer carries. */
  | { readonly type: 'unexpected'; readonly requestId: string; readonly error: unknown }

/**
 * The same bytes, the same meaning, the same but for what is ignored, another one; the old service did not
 * answer; there was no time to ask it; or it answered what the gateway could not.
 */
export type ShadowResult =
  | 'bytes'
  | 'meaning'
  | 'ignored'
  | 'different'
  | 'failed'
  | 'dropped'
  | 'gateway-failed'

/** What a client uses of GraphQL. */
export interface GraphqlUse {
  /** The name that it has for itself: plain, and 64 characters at most. */
  readonly client: string
  readonly operation: string
  /** `User.rank`, say; the same list for each use of an operation. */
  readonly fields: readonly string[]
}

export type Observe = (observation: Observation) => void

/** What a request was about, for metrics and the log. None of it comes from the client as it is. */
export interface Subject {
  /** The legacy event, `graphql`, `explain`, `page` or `contract`; `none` where that cannot be told. */
  readonly event: string
  readonly format: 'JSON' | 'XML' | 'HTML' | 'SDL'
  /** `ok`, `InvalidGraphQL`, or the code of a failure (errors.ts). */
  readonly outcome: string
  /** How many values it asked for. */
  readonly values: number
}
