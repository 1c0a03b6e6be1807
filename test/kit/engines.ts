// The engines that are tested, and what tests do with each of them.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { ServersLocation } from '../../src/config/database.ts'
import type { Observation } from '../../src/observe/events.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { makeTables } from '../../src/stores/transfer.ts'
import type { Database, DatabaseServer, TestDatabase } from './database-server.ts'
import type { TestEngine } from './engine.ts'
import { fill, sample } from './gateway.ts'
import { mysqlEngine } from './mysql/engine.ts'
import { flavours } from './mysql/programs.ts'
import { postgresEngine } from './postgres/engine.ts'

export const engines: readonly TestEngine[] = [postgresEngine, ...flavours.map(mysqlEngine)]

type Prepare = (database: TestDatabase) => unknown

/** A database for all tests of a `describe`. @param prepare fills it before the first test */
export function useDatabase(
  engine: Pick<TestEngine, 'shared'>,
  prepare: Prepare = () => {},
): () => TestDatabase {
  let database: TestDatabase
  beforeAll(async () => {
    database = await (await engine.shared()).makeDatabase()
    await prepare(database)
  })
  // There is none if its program is missing: that error alone is shown.
  afterAll(() => database?.remove())
  return () => database
}

/** A database for one test. */
export async function openDatabase(
  engine: Pick<TestEngine, 'shared'>,
  prepare: Prepare = () => {},
  options?: string,
): Promise<TestDatabase> {
  const database = await (await engine.shared()).makeDatabase(options)
  onTestFinished(database.remove)
  await prepare(database)
  return database
}

/** A server that the tests of a `describe` have for themselves. @param prepare runs before the first test */
export function useServer<Server extends DatabaseServer>(
  start: () => Promise<Server>,
  prepare: (server: Server) => unknown = () => {},
): () => Server {
  let server: Server
  beforeAll(async () => {
    server = await start()
    await prepare(server)
  })
  afterAll(() => server?.remove())
  return () => server
}

/** Opens a store until the end of the test. */
export async function watchStore(location: ServersLocation) {
  const seen: Observation[] = []
  const store = await openStore(location, (one) => seen.push(one))
  onTestFinished(() => store.close())
  return {
    store,
    seen,
    of: (...types: Observation['type'][]) => seen.filter(({ type }) => types.includes(type)),
  }
}

/** Makes the tables in a database, and fills them with the sample data. */
export async function fillSample({ location }: Pick<Database, 'location'>): Promise<void> {
  await makeTables(location)
  await fill(location, 'users', sample.users)
  await fill(location, 'apps', sample.apps)
}

/** The database that `makeForum` makes. */
export const forumOf = (_: TestEngine, server: DatabaseServer): Database => server.database(FORUM)

/** Makes a database with the sample data in a server, and a user who may do no more than read it. */
export async function makeForum(engine: TestEngine, server: DatabaseServer): Promise<void> {
  await server.run(`CREATE DATABASE ${FORUM}`)
  const forum = server.database(FORUM)
  await forum.run(engine.words.makeReader)
  await fillSample(forum)
}

/** How a gateway reaches that database, as that user. */
export const readerUrl = (server: DatabaseServer): string => server.url(FORUM, 'reader')

export const FORUM = 'forum'

/** Keeps readers from tables, until the end of the test at most. @returns lets them in again */
export async function lock(
  { words }: TestEngine,
  { connect }: Pick<Database, 'connect'>,
  ...tables: readonly string[]
): Promise<() => Promise<void>> {
  const holder = await connect()
  onTestFinished(holder.end)
  await holder.run(words.lock(tables))
  return async () => {
    await holder.run(words.unlock)
  }
}

/** Ends all sessions of gateways in a database. */
export async function endSessions({ words }: TestEngine, { run }: Pick<Database, 'run'>): Promise<void> {
  // Some have ended meanwhile.
  for (const [id] of await run(words.sessions)) await run(words.endSession(id)).catch(() => {})
}
