import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { createEagerClock } from '../../kit/clock.ts'
import type { RunOptions } from '../../kit/run-lookup.ts'
import type { Workplace } from '../../kit/workplace.ts'

export { startTwin } from '../cutover/support.ts'

export const state = 'lookup-import-users.state'

export const idsIn = (target: string) =>
  (new URL(target, 'http://x').searchParams.get('Users') ?? '').split(':')
export const entriesOf = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, userOf(id)]))

type Reply = string | readonly [status: number, body: string]

/** An old service that responds to lists of ids. */
export async function startUsers(answer: (ids: readonly string[]) => Reply) {
  const service = await startAnswering(({ url = '' }, response) => {
    const said = answer(idsIn(url))
    if (typeof said === 'string') response.end(said)
    else response.writeHead(said[0]).end(said[1])
  })
  onTestFinished(service.close)
  return service
}

/** `lookup import users URL` into `lookup.db`, on a clock that waits for nothing. */
export const copyIn =
  (place: Workplace, url: string, name = 'users') =>
  (ids: string, more: readonly string[] = [], options: Partial<RunOptions> = {}) =>
    place.run(['import', name, url, '--ids', ids, '--database', 'sqlite:lookup.db', ...more], {
      clock: createEagerClock(),
      ...options,
    })

/** The files of a copy that is under way. */
export const left = ({ path }: Workplace) => readdirSync(path).filter((name) => name.startsWith(state))

export const skipping = ['--skip-invalid', 'rejects.jsonl']
export const rejects = (place: Workplace) =>
  readFileSync(join(place.path, 'rejects.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
