// The interface that each engine (PostgreSQL; MySQL and MariaDB) implements. All else about servers is
// common.

import type { Socket } from 'node:net'
import type { Relation } from '../../data/relation.ts'
import type { ErrorKinds } from './errors.ts'

/** A value as a store reads it. */
export type StoreValue = string | number | boolean | null

export type ServerRow = readonly StoreValue[]

/** A statement of SQL with its values. */
export interface Statement {
  /** The name that the statement is prepared under; empty if it is not prepared. */
  readonly name: string
  readonly text: string
  readonly values: (string | string[])[]
  /** The relation that it reads, if it reads one. */
  readonly table?: Relation['name']
  /** The result is its columns: for each, its name, its type, and the kinds of fields that it can hold. */
  readonly describes?: true
}

/** A statement that is not prepared, without values of its own. */
export const plain = (text: string): Statement => ({ name: '', text, values: [] })

/** A connection that is logged in. */
export interface Session {
  /** Runs one query at a time. */
  readonly query: (statement: Statement, done: (error: unknown, rows: readonly ServerRow[]) => void) => void
  /** Logs out. */
  readonly end: () => void
  /** Cuts the connection. A query in flight need not call back then. */
  readonly destroy: () => void
}

/** The transactions that a server has, and whether its data is fit to be read. */
export interface ReplicationState {
  readonly writable: boolean
  /** Grows with every change: an LSN, or a number of transactions; `null` if unknown. */
  readonly position: bigint | null
  /** PostgreSQL's system identifier, the same for all copies of a database; `null` in MySQL. */
  readonly lineage: string | null
  /** Identifies a server that has two addresses. */
  readonly server: string
  /** The transactions that it has: the GTID set of MySQL, or the timeline of PostgreSQL. */
  readonly history: string
  /** The GTID set of MySQL with the server's own transactions, which `history` lacks; `null` otherwise. */
  readonly executed: string | null
  /** Seconds of lag that a replica without a position reports. */
  readonly secondsBehind: number | null
  /** The state of a node of Galera, where no server is the primary; `null` for other servers. */
  readonly node: ClusterNode | null
  readonly unready: Unreadiness | null
}

export interface ClusterNode {
  /** The cluster; `null` if the node does not know it yet. */
  readonly cluster: string | null
  /** How many of the cluster's transactions it has; `null` if it receives no changes. */
  readonly position: bigint | null
}

/** Why a server reports that its data is not fit to be read. */
export interface Unreadiness {
  readonly reason: string
  /** `no`: it refuses lookups, or receives no changes. */
  readonly use: 'last resort' | 'no'
}

export type RunStatement = (statement: Statement) => Promise<readonly ServerRow[]>

/** The transactions of a replica, compared with those of its primary. */
export interface ReplicaComparison {
  readonly relationship: 'follows' | 'is ahead' | 'is unrelated'
  /** How many transactions the position of the replica counts that the primary does not have. */
  readonly own: bigint
}

/** Limits of every connection to a server. */
export interface ConnectionLimits {
  /** Milliseconds to connect. */
  readonly connectTimeout: number
  /** Milliseconds that the server gives a statement; 0 for no limit. */
  readonly statementTimeout: number
  /** Whether the server itself refuses to write. */
  readonly readOnly: boolean
}

/** How to connect to a server, by its URL and files as they are now. */
export interface ServerLogin {
  /** Two logins that are the same have equal keys. */
  readonly key: string
  /** Logs in. @param onLost called if the connection is lost, perhaps several times */
  readonly connect: (createSocket: () => Socket, onLost: () => void) => Promise<Session>
}

export interface Engine {
  readonly errors: ErrorKinds
  readonly statements: Statements
  /** @throws WrongUrl */
  readonly readLogin: (url: string, limits: ConnectionLimits) => ServerLogin
  /** @param onUnknown called if the server has no position, and does not say how far it is behind */
  readonly readReplicationState: (
    run: RunStatement,
    onUnknown: (error: unknown) => void,
  ) => Promise<ReplicationState>
  /** @param primary read after the replica, so that a replica that follows it is never ahead */
  readonly compare: (
    replica: ReplicationState,
    primary: ReplicationState,
    runOnPrimary: RunStatement,
  ) => Promise<ReplicaComparison>
  /** The reasons why a replica is not fit, or why its lag is unknown, for messages. */
  readonly reasons: Readonly<Record<'writable' | 'is ahead' | 'is unrelated', string>>
  /** The checks at the start only. @returns warnings @throws Error if the server cannot be used */
  readonly inspect: (run: RunStatement, url: string) => Promise<readonly string[]>
}

/** The statements of lookups and of health checks. The rules for values are in store.ts. */
export interface Statements {
  readonly usersById: (ids: readonly string[]) => Statement
  readonly usersByUsername: (keys: readonly string[]) => Statement
  readonly usersByChat: (chatIds: readonly string[]) => Statement
  readonly appsById: (ids: readonly string[]) => Statement
  /** Counts the rows with a larger id, up to `most`. The row is their number and the last id. */
  readonly countAfter: (name: Relation['name'], id: number, most: number) => Statement
  /** One row, or none if the relation is empty. */
  readonly first: (name: Relation['name']) => Statement
  /** The columns that lookups read; or all columns that the relation has. */
  readonly describe: (relation: Relation, columns: 'needed' | 'all') => Statement
  /** The types that a column may have, for each kind of field. */
  readonly types: Readonly<Record<'integer' | 'string' | 'boolean', string>>
  /** Returns the texts that the column can hold, after an untranslatable text; absent if unknown. */
  readonly keepHeld?: (
    run: RunStatement,
    lookup: TextLookup,
    texts: readonly string[],
  ) => Promise<readonly string[]>
}

export type TextLookup = 'usersByUsername' | 'usersByChat'
