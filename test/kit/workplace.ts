import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './gateway.ts'
import { makeDatabase as makeMysqlDatabase } from './mysql/database.ts'
import { type Flavour, flavours, hasServer } from './mysql/programs.ts'
import { sharedServer } from './mysql/shared.ts'
import { makeDatabase } from './postgres/database.ts'
import { type Outcome, type ProcessOptions, type RunOptions, runLookup, runProcess } from './run-lookup.ts'

export const csvHeader = 'id,username,displayName,rank,joinDate,isConfirmed,banned'

/** A valid row of users as CSV; one cell of it may be another. */
export const csvRow = (id: number, { username = `user ${id}`, rank = '1' } = {}) =>
  `${id},${username},Name ${id},${rank},${1000 + id},true,false`

export const csvFile = (...rows: readonly string[]) => `${[csvHeader, ...rows].join('\n')}\n`

/** A folder to run commands in, with a database `lookup.db` where nothing says otherwise. */
export interface Workplace {
  readonly path: string
  readonly write: (name: string, content: string | Buffer) => void
  readonly run: (
    args: readonly string[],
    options?: Partial<RunOptions>,
    input?: string | Buffer,
  ) => Promise<Outcome>
  /** The same as a process of its own. */
  readonly runProcess: (
    args: readonly string[],
    options?: Partial<ProcessOptions>,
    input?: string | Buffer,
  ) => Promise<Outcome>
  /** Imports users from a file, and from standard input as CSV. */
  readonly importing: (file: string, ...flags: string[]) => Promise<Outcome>
  readonly fromInput: (input: string, ...flags: string[]) => Promise<Outcome>
  /** The URL of a database by its name; what is there by no name is `lookup.db`. */
  readonly urlOf: (name: string) => Promise<string>
  /** The identifiers that an export shows, in its order. */
  readonly ids: (relation?: 'users' | 'apps') => Promise<number[]>
  readonly remove: () => Promise<void>
}

type DatabaseKind = 'sqlite' | 'postgres' | Flavour

/** Those that can be had here. */
export const databaseKinds = (): DatabaseKind[] => ['sqlite', 'postgres', ...flavours.filter(hasServer)]

interface ServerDatabase {
  readonly url: string
  readonly remove: () => Promise<void>
}

/** @param kind where its databases are: in files, or on a real server */
export function makeWorkplace(kind: DatabaseKind = 'sqlite'): Workplace {
  const folder = temporaryFolder()
  const { path } = folder
  const made = new Map<string, Promise<ServerDatabase>>()
  const make = async () =>
    kind === 'mysql' || kind === 'mariadb' ? makeMysqlDatabase(await sharedServer(kind)) : makeDatabase()
  const urlOf: Workplace['urlOf'] = async (name) => {
    if (kind === 'sqlite') return `sqlite:${name}`
    const database = made.get(name) ?? make()
    made.set(name, database)
    return (await database).url
  }
  const envOf = async () => (kind === 'sqlite' ? {} : { DATABASE_URL: await urlOf('lookup.db') })
  const run: Workplace['run'] = async (args, options, input) =>
    runLookup(args, { cwd: path, ...options, env: { ...(await envOf()), ...options?.env } }, input)
  const processOf: Workplace['runProcess'] = async (args, options, input) =>
    runProcess(args, { cwd: path, ...options, env: { ...(await envOf()), ...options?.env } }, input)
  const ids: Workplace['ids'] = async (relation = 'users') => {
    const { stdout, stderr } = await run(['export', relation])
    // A relation that was never made, since nothing was imported, is as good as an empty one.
    if (/relation "\w+" does not exist|Table '.+' doesn't exist/.test(stderr)) return []
    if (stderr !== '') throw new Error(stderr)
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(JSON.parse(line).id))
  }
  const write: Workplace['write'] = (name, content) => writeFileSync(join(path, name), content)
  mkdirSync(join(path, 'folder.csv'))
  const remove = async () => {
    folder.remove()
    for (const database of made.values()) await (await database).remove()
  }
  const importing: Workplace['importing'] = (file, ...flags) => run(['import', 'users', file, ...flags])
  const fromInput: Workplace['fromInput'] = (input, ...flags) =>
    run(['import', 'users', '-', '--format', 'csv', ...flags], {}, input)
  return { path, write, run, runProcess: processOf, importing, fromInput, urlOf, ids, remove }
}

/** One whose database has the users 901 and 902. */
export async function makeFilledWorkplace(kind: DatabaseKind): Promise<Workplace> {
  const place = makeWorkplace(kind)
  place.write('old.csv', csvFile(csvRow(901), csvRow(902)))
  await place.importing('old.csv')
  return place
}
