import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/gateway.ts'
import { type Outcome, type RunOptions, runLookup } from './run-lookup.ts'

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
  /** The identifiers that an export shows, in its order. */
  readonly ids: (relation?: 'users' | 'apps') => Promise<number[]>
  readonly remove: () => void
}

export function makeWorkplace(): Workplace {
  const { path, remove } = temporaryFolder()
  const run: Workplace['run'] = (args, options, input) => runLookup(args, { cwd: path, ...options }, input)
  const ids: Workplace['ids'] = async (relation = 'users') => {
    const { stdout, stderr } = await run(['export', relation])
    if (stderr !== '') throw new Error(stderr)
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Number(JSON.parse(line).id))
  }
  const write: Workplace['write'] = (name, content) => writeFileSync(join(path, name), content)
  mkdirSync(join(path, 'folder.csv'))
  return { path, write, run, ids, remove }
}
