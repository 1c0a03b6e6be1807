import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { TestDatabase } from './engine.ts'
import { temporaryFolder } from './gateway.ts'
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
    input?: string | Buffer | Readable,
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

/** @param makeDatabase makes its databases on a real server; by default they are files */
export function makeWorkplace(makeDatabase?: () => Promise<TestDatabase>): Workplace {
  const folder = temporaryFolder()
  const { path } = folder
  const made = new Map<string, Promise<TestDatabase>>()
  const urlOf: Workplace['urlOf'] = async (name) => {
    if (makeDatabase === undefined) return `sqlite:${name}`
    const database = made.get(name) ?? makeDatabase()
    made.set(name, database)
    return (await database).url
  }
  const envOf = async () => (makeDatabase === undefined ? {} : { DATABASE_URL: await urlOf('lookup.db') })
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
