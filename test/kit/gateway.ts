// A gateway in this process, over a real SQLite file.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { OwnDatabase, SqliteLocation } from '../../src/config/database.ts'
import { type FileFormat, importFile } from '../../src/data/import/import-file.ts'
import { relations } from '../../src/data/relations.ts'
import { listen } from '../../src/http/server.ts'
import type { Observation } from '../../src/observe/events.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { makeTables } from '../../src/stores/transfer.ts'
import { type Given, settingsOf } from './dialect.ts'

export interface Gateway {
  readonly url: string
  /** All that was observed so far. */
  readonly observations: Observation[]
  /** How many requests it works on. */
  readonly inFlight: () => number
  readonly database: SqliteLocation
  /** Does not wait for connections that are idle. */
  readonly close: () => Promise<void>
  /** Closes as a service does. */
  readonly stop: () => Promise<void>
}

/** Files to fill a database with. */
interface DataFiles {
  readonly users?: string
  readonly apps?: string
}

/** The sample data that a newcomer starts with. */
export const sample = {
  users: new URL('../../src/data/sample/users.jsonl', import.meta.url).pathname,
  apps: new URL('../../src/data/sample/apps.jsonl', import.meta.url).pathname,
}

/** A folder of its own under the system's temporary folder, and how to remove it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'lookup-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Imports a file into an SQLite database, which is made if there is none; throws when a row is invalid. */
export async function fill(database: OwnDatabase, name: 'users' | 'apps', file: string): Promise<void> {
  const format: FileFormat = file.endsWith('.csv') ? 'csv' : 'jsonl'
  const request = { database, relation: relations[name], file, format, replace: true, rejects: null } as const
  const report = await importFile({ ...request, onProgress: () => {} })
  if (!report.committed) throw new Error(JSON.stringify(report.problems))
}

/** The bytes of filled files, by what they were filled with: a copy takes less time than an import. */
const templates = new Map<string, Promise<Buffer>>()

/** A new SQLite file with these rows. */
export async function filledFile(path: string, data: DataFiles = sample): Promise<SqliteLocation> {
  const key = `${data.users} ${data.apps}`
  const template = templates.get(key) ?? makeTemplate(data)
  templates.set(key, template)
  writeFileSync(path, await template)
  return { kind: 'sqlite', path }
}

async function makeTemplate({ users, apps }: DataFiles): Promise<Buffer> {
  const folder = temporaryFolder()
  const database: SqliteLocation = { kind: 'sqlite', path: join(folder.path, 'template.db') }
  try {
    await makeTables(database)
    if (users !== undefined) await fill(database, 'users', users)
    if (apps !== undefined) await fill(database, 'apps', apps)
    return readFileSync(database.path)
  } finally {
    folder.remove()
  }
}

/** A real gateway on a free port, over a real SQLite file filled with `data` (the sample data by default). */
export async function startGateway(settings: Given = {}, data: DataFiles = sample): Promise<Gateway> {
  const folder = temporaryFolder()
  const database = await filledFile(join(folder.path, 'test.db'), data)
  const gateway = await startGatewayOver({ ...settings, DATABASE_URL: `sqlite:${database.path}` })
  const removing = (end: () => Promise<void>) => async () => {
    await end()
    folder.remove()
  }
  return { ...gateway, database, close: removing(gateway.close), stop: removing(gateway.stop) }
}

/** A real gateway on a free port, over a database that is there. */
export async function startGatewayOver(settings: Given): Promise<Omit<Gateway, 'database'>> {
  const config = readConfig({ flags: settingsOf(settings) })
  const observations: Observation[] = []
  const observe = (observation: Observation) => observations.push(observation)
  const store = await openStore(config.database, observe)
  const app = await createApp(config, store, observe)
  const { timeouts, maxConnections } = config
  const connectionLimit = { maxConnections, observe }
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts, connectionLimit })
  const end = async (linger?: number) => {
    await listener.close(linger)
    await app.close()
    await store.close()
  }
  return {
    url: listener.url.replace('localhost', '127.0.0.1'),
    observations,
    inFlight: app.inFlight,
    close: () => end(0),
    stop: () => end(),
  }
}
