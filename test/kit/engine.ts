// What tests of database servers need of an engine, so that they are the same for each.

import type { ServerKind, ServersLocation } from '../../src/database-location.ts'
import type { Engine } from '../../src/stores/servers/engine.ts'
import type { Client, DatabaseServer } from './database-server.ts'

/** A database on a real server. */
export interface DatabaseOf<Location extends ServersLocation> {
  readonly url: string
  readonly location: Location
  /**
   * Runs SQL as the superuser. @returns the rows of the last statement, booleans as 0 or 1 and integers as
   * numbers
   */
  readonly run: Client['run']
  /** A session of its own, of the superuser. */
  readonly connect: () => Promise<Client>
}

export type Database = DatabaseOf<ServersLocation>

/** One that was made for a test. */
export type RemovableOf<Location extends ServersLocation> = DatabaseOf<Location> & {
  readonly remove: () => Promise<void>
}

export type TestDatabase = RemovableOf<ServersLocation>

/** A server in which the tests of a file make databases. */
export interface Databases {
  /** An empty one. */
  readonly make: () => Promise<TestDatabase>
  readonly close: () => Promise<void>
}

export interface ServerOptions {
  readonly maxConnections?: number
  /** Addresses of this machine to listen on, by default 127.0.0.1. */
  readonly addresses?: readonly string[]
}

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
  /** The identifier of the session that asks. */
  readonly sessionId: string
  /** Asks for a value, by default 1, which comes after so many seconds. */
  readonly sleep: (seconds: number, value?: string) => string
  /** Keeps readers from tables for as long as the session lasts, or until `unlock`. */
  readonly lock: (tables: readonly string[]) => string
  readonly unlock: string
  /** Makes `users` a view that takes so many seconds for each user it shows. A probe finds none. */
  readonly slowUsers: (seconds: number) => Undoable
  /** The same, which fails with a message, and with the code `failure`. */
  readonly failingUsers: (message: string) => Undoable
  readonly failure: string
  /** Makes a user `reader`, who may read this database, and what will be in it. */
  readonly makeReader: string
}

export interface TestEngine {
  /** What people call it. */
  readonly name: 'PostgreSQL' | 'MariaDB' | 'MySQL'
  readonly kind: ServerKind
  readonly engine: Engine
  readonly words: Words
  readonly locate: (url: string, ...replicas: readonly string[]) => ServersLocation
  readonly openDatabases: () => Promise<Databases>
  /**
   * Watches a server until the end of the test.
   * @returns whether a gateway has looked up values of a column in a database there
   */
  readonly watchLookups: (
    database: Database,
    table: 'users' | 'apps',
    column: string,
  ) => Promise<() => Promise<boolean>>
  readonly startServer: (options?: ServerOptions) => Promise<DatabaseServer>
  /** Starts a server and one that follows it. */
  readonly startPair: () => Promise<readonly [primary: DatabaseServer, standby: DatabaseServer]>
}

/** A database of a server, or of a replica of it. @param locate as the server's engine does */
export function databaseOf<Location extends ServersLocation>(
  server: DatabaseServer,
  name: string,
  locate: (url: string) => Location,
): DatabaseOf<Location> {
  const url = server.url(name)
  return {
    url,
    location: locate(url),
    run: (sql, values) => server.run(sql, name, values),
    connect: () => server.connect(name),
  }
}

/** By default, of all that tests open. */
export const limits = { connections: 4, timeout: 1000, maxLag: 10 } as const
