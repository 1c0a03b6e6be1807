// Where data may be.

import type { Dialect } from './legacy/dialect.ts'
import type { Service } from './service-headers.ts'

/** The settings that name databases. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_REPLICA_URLS'

/** Where the data is. */
export type DatabaseLocation = DatabaseOfOurs | OldServiceLocation

/** One that can be filled, and read whole. */
export type DatabaseOfOurs = SqliteLocation | ServersLocation

/** Of a file of some hundred thousand rows, all; and no more memory than the rest of the process takes. */
export const DEFAULT_MMAP_BYTES = 48 * 1024 * 1024

export interface SqliteLocation {
  readonly kind: 'sqlite'
  readonly path: string
  /** Bytes of the file that lookups read in place; `DEFAULT_MMAP_BYTES` where it is left out. */
  readonly mmap?: number
}

/** The engines whose servers hold the data, or copies of it. */
export type ServerKind = 'postgres' | 'mysql'

/** PostgreSQL, or what speaks its protocol. */
export type PostgresLocation = ServersOf<'postgres'>

/** MySQL or MariaDB. */
export interface MysqlLocation extends ServersOf<'mysql'> {
  /** Whether nodes of Galera that have no quorum are asked, where no other is left. */
  readonly dirtyReads: boolean
}

export type ServersLocation = PostgresLocation | MysqlLocation

interface ServersOf<Kind extends ServerKind> {
  readonly kind: Kind
  /** The primary's; holds a password, perhaps. */
  readonly url: string
  /** Servers that have as many lookups as the primary: the other nodes of a cluster. */
  readonly peers: readonly string[]
  readonly replicas: readonly string[]
  /** Queries under way at a time on each server, from each process. */
  readonly connections: number
  /** Milliseconds for a query, and for a connection. */
  readonly timeout: number
  /** Seconds that a replica may be behind. */
  readonly maxLag: number
  /** Left out where no secret stands in a file. */
  readonly files?: Readonly<Record<DatabaseSetting, SecretFiles>>
}

/**
 * The files that URLs, and the password for them, are read from again for each new connection; `null` for
 * none.
 */
export interface SecretFiles {
  readonly url: string | null
  readonly password: string | null
}

/** A service with the legacy interface, which is asked as its clients ask it. */
export interface OldServiceLocation extends Service {
  readonly kind: 'old-service'
  /** Calls under way at a time, from each process. */
  readonly connections: number
  /** Milliseconds for a call. */
  readonly timeout: number
  /** Values in a call. */
  readonly maxValues: number
  /** How the service writes its responses: as this gateway does. */
  readonly dialect: Dialect
}
