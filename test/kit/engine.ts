// What tests of database servers need of an engine, so that they are the same for each.

import type { ServerKind, ServersLocation } from '../../src/config/database.ts'
import type { Engine } from '../../src/stores/servers/driver.ts'
import type { Database, DatabaseServer } from './database-server.ts'

export type { Database, TestDatabase } from './database-server.ts'

/** SQL that changes something, and SQL that undoes it. */
export interface Undoable {
  readonly begin: string
  readonly end: string
}

/** SQL that each engine has in its own words. */
export interface Words {
  /** Stands in a statement for the value of this index, from 0 on. */
  readonly parameter: (index: number) => string
  /** The identifiers of a gateway's sessions in this database. */
  readonly sessions: string
  /** Those that run a statement now which is like a pattern. */
  readonly asking: (pattern: string) => string
  readonly endSession: (id: unknown) => string
  /** Keeps readers from tables for as long as the session lasts, or until `unlock`. */
  readonly lock: (tables: readonly string[]) => string
  readonly unlock: string
  /** Makes `users` a view that takes so many seconds for each user it shows. A probe finds none. */
  readonly slowUsers: (seconds: number) => Undoable
  /** Makes a user `reader`, who may read this database, and what will be in it. */
  readonly makeReader: string
}

export interface TestEngine {
  readonly name: 'PostgreSQL' | 'MariaDB' | 'MySQL'
  readonly kind: ServerKind
  readonly engine: Engine
  readonly words: Words
  readonly locate: (url: string, ...replicas: readonly string[]) => ServersLocation
  /** The server that all tests share. */
  readonly shared: () => Promise<DatabaseServer>
  /**
   * Watches a server until the end of the test.
   * @returns whether a gateway has looked up values of a column in a database there
   */
  readonly watchLookups: (
    database: Database,
    table: 'users' | 'apps',
    column: string,
  ) => Promise<() => Promise<boolean>>
  readonly startServer: (options?: { readonly maxConnections?: number }) => Promise<DatabaseServer>
  /** Starts a server and one that follows it. */
  readonly startPair: () => Promise<readonly [primary: DatabaseServer, standby: DatabaseServer]>
}

/** The defaults of tests: a busy machine takes longer than the second that lookups have. */
export const limits = { connections: 4, timeout: 4000, maxLag: 10 } as const
