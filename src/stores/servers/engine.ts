// What PostgreSQL and MySQL do each in its own way. All the rest about servers is common to both.

import type { Socket } from 'node:net'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { ErrorKinds } from './errors.ts'
import type { NodeStatus } from './node.ts'
import type { Pool } from './pool.ts'

/** A value as a store reads it. */
export type Value = string | number | boolean | null

export type Row = readonly Value[]

/** What is asked of a server. */
export interface Question {
  /** The name that the statement is prepared under; empty where it is not. */
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
  /** What it reads, if that is one of the relations. */
  readonly table?: string
}

/** One connection to a server, once it is logged in. */
export interface Session {
  /** @throws the engine's error, or that of the connection */
  readonly ask: (question: Question) => Promise<readonly Row[]>
  /** Whether it may be asked again. */
  readonly isUsable: () => boolean
  /** Has the server end the query under way, which fails then. That may come late. */
  readonly cancel: () => void
  /** Says goodbye. */
  readonly end: () => void
  /** Closes the connection at once: the query under way fails. */
  readonly cut: () => void
}

/** Logs in over a socket that is not connected yet. */
export type Connect<Config> = (config: Config, socket: Socket) => Promise<Session>

/** How one server is reached, as its URL and files say at the time. */
export interface Access {
  /**
   * @param connections the most at a time
   * @param patientFrom when the patience of a query begins: with `connected`, the time to connect has a limit
   * of its own
   */
  readonly openPool: (connections: number, patientFrom: 'asked' | 'connected') => Pool
  /**
   * Whether it can be reached and holds what is looked up.
   * @returns what the operator should know all the same
   * @throws why not
   */
  readonly check: () => Promise<readonly string[]>
}

/** Where a server is in the history of its data. */
export interface Place {
  readonly acceptsWrites: boolean
  /** How far it is: grows with every change. `null` where it does not say. */
  readonly position: number | null
  /** How far it is behind as it says itself, where it has no position: infinite if it follows no server. */
  readonly secondsBehind?: number | null
  /** What it says of itself as a node of a cluster, where it is one. */
  readonly node?: NodeStatus | null
}

/** What the places of a replica and of its primary say of the two. */
export interface Relationship {
  /** Why the replica's data are not the primary's; `null` where they may be. */
  readonly difference: string | null
  /** Why the one's position says nothing of the other's; `null` where it does. */
  readonly unrelated: string | null
}

export type Ask = (question: Question) => Promise<readonly Row[]>

export interface Engine {
  readonly errors: ErrorKinds
  readonly questions: Questions
  /** @throws UnusableDatabase where the URL, or a file that it names, cannot be read */
  readonly reach: (setting: DatabaseSetting, url: string, location: ServersLocation) => Access
  /**
   * @param isWanted whether its place matters; otherwise it only has to answer
   * @param onUnknown called once for an engine, or a role on it, that does not say
   * @returns asks a server for its place; `null` where that is unknown
   */
  readonly createPlaceReader: (
    ask: Ask,
    isWanted: boolean,
    onUnknown: (what: 'history-unknown' | 'lag-unknown', error: unknown) => void,
  ) => () => Promise<Place | null>
  /**
   * @param primary asked later than the replica: what follows it cannot be further
   * @returns `null` where nothing can be said
   */
  readonly compare: (replica: Place, primary: Place) => Relationship | null
}

/** The lookups of requests. Values come as store.ts says. */
export interface Questions {
  readonly usersById: (ids: readonly string[]) => Question
  readonly usersByUsername: (keys: readonly string[]) => Question
  readonly usersByChat: (chatIds: readonly string[]) => Question
  readonly appsById: (ids: readonly string[]) => Question
  /** Of the rows with an id beyond this one, the first so many: their number, and the last id. */
  readonly countAfter: (name: 'users' | 'apps', id: number, most: number) => Question
  /** A row, where there is one. */
  readonly first: (name: 'users' | 'apps') => Question
  /** How to learn what a column can hold; left out where an engine does not say. */
  readonly charsets?: Charsets
}

export type TextLookup = 'usersByUsername' | 'usersByChat'

export interface Charsets {
  /** The character set of what is looked up in; without a row where there are no rows. */
  readonly of: (lookup: TextLookup) => Question
  /** The texts as a character set has them, one after another, with NUL in between. */
  readonly texts: (texts: readonly string[], charset: string) => Question
}
