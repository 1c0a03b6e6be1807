// The engines that are tested, and what tests do with each of them.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { makeTables } from '../../src/stores/transfer.ts'
import type { DatabaseServer } from './database-server.ts'
import { type Database, type Databases, databaseOf, type TestDatabase, type TestEngine } from './engine.ts'
import { fill, sample } from './gateway.ts'
import { mysqlEngine } from './mysql/engine.ts'
import { flavours, hasServer } from './mysql/programs.ts'
import { postgresEngine } from './postgres/engine.ts'

/** Those that are installed. */
export const engines: readonly TestEngine[] = [
  postgresEngine,
  ...flavours.filter(hasServer).map((flavour) => mysqlEngine(flavour)),
]

/** Makes empty databases for the tests of a `describe`. */
export function useDatabases(engine: TestEngine): () => Promise<TestDatabase> {
  let databases: Databases
  beforeAll(async () => {
    databases = await engine.openDatabases()
  })
  afterAll(() => databases.close())
  return () => databases.make()
}

/** Makes the tables in a database, and fills them with the sample data. */
export async function fillSample({ location }: Pick<Database, 'location'>): Promise<void> {
  await makeTables(location)
  await fill(location, 'users', sample.users)
  await fill(location, 'apps', sample.apps)
}

/** The database that `makeForum` makes. */
export const forumOf = (engine: TestEngine, server: DatabaseServer): Database =>
  databaseOf(server, FORUM, engine.locate)

/** Makes a database with the sample data in a server, and a user who may do no more than read it. */
export async function makeForum(engine: TestEngine, server: DatabaseServer): Promise<void> {
  await server.run(`CREATE DATABASE ${FORUM}`)
  const forum = forumOf(engine, server)
  await forum.run(engine.words.makeReader)
  await fillSample(forum)
}

/** How a gateway reaches that database, as that user. */
export const readerUrl = (server: DatabaseServer): string => server.url(FORUM, 'reader')

/** Its name. */
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
