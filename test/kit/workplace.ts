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

export type Workplace = ReturnType<typeof makeWorkplace>

/**
 * A folder to run commands in, with a database `lookup.db` by default.
 * @param makeDatabase makes its databases on a real server; by default they are files
 */
export function makeWorkplace(makeDatabase?: () => Promise<TestDatabase>) {
  const folder = temporaryFolder()
  const { path } = folder
  const made = new Map<string, Promise<TestDatabase>>()
  mkdirSync(join(path, 'folder.csv'))

  /** The URL of a database by its name. */
  async function urlOf(name: string): Promise<string> {
    if (makeDatabase === undefined) return `sqlite:${name}`
    const database = made.get(name) ?? makeDatabase()
    made.set(name, database)
    return (await database).url
  }

  async function optionsOf<Options extends Partial<RunOptions>>(options?: Options) {
    const env = makeDatabase === undefined ? {} : { DATABASE_URL: await urlOf('lookup.db') }
    return { cwd: path, ...options, env: { ...env, ...options?.env } }
  }
  const run = async (
    args: readonly string[],
    options?: Partial<RunOptions>,
    input?: string | Buffer | Readable,
  ): Promise<Outcome> => runLookup(args, await optionsOf(options), input)

  return {
    path,
    run,
    urlOf,
    write: (name: string, content: string | Buffer) => writeFileSync(join(path, name), content),
    /** The same as `run`, as a process of its own. */
    runProcess: async (
      args: readonly string[],
      options?: Partial<ProcessOptions>,
      input?: string | Buffer,
    ): Promise<Outcome> => runProcess(args, await optionsOf(options), input),
    /** Imports users from a file. */
    importing: (file: string, ...flags: string[]) => run(['import', 'users', file, ...flags]),
    /** Imports users from standard input as CSV. */
    fromInput: (input: string, ...flags: string[]) =>
      run(['import', 'users', '-', '--format', 'csv', ...flags], {}, input),
    /** The ids of an export, in its order. */
    ids: async (relation: 'users' | 'apps' = 'users'): Promise<number[]> => {
      const { stdout, stderr } = await run(['export', relation])
      // A relation that was never made, since nothing was imported, is as good as an empty one.
      if (/relation "\w+" does not exist|Table '.+' doesn't exist/.test(stderr)) return []
      if (stderr !== '') throw new Error(stderr)
      const lines = stdout.split('\n').filter((line) => line !== '')
      return lines.map((line) => Number(JSON.parse(line).id))
    },
    remove: async (): Promise<void> => {
      folder.remove()
      for (const database of made.values()) await (await database).remove()
    },
  }
}
