// What tests of imports by other processes share: two versions of the data set, and how one is half imported.

import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { outcomeOf } from '../kit/run-lookup.ts'
import { csv } from './import-data.ts'

export const ROWS = 200_000
export const OLD_ROWS = 1000

/** What a slow machine gives time to say. */
export const progress = /^(?:users: .*\n)*$/

/** How many users of which version are in a database. */
export const versions = 'SELECT display_name, count(*) FROM users GROUP BY display_name'

/** A folder with `old.csv`, of `OLD_ROWS` users, and `new.csv`, of `ROWS`. */
export function makeVersions(): ReturnType<typeof temporaryFolder> {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'old.csv'), csv('old', OLD_ROWS))
  writeFileSync(join(folder.path, 'new.csv'), csv('new', ROWS))
  return folder
}

/** Writes half of the new rows to an import from standard input, until it has taken them; no more follow. */
export async function feedHalf({ stdin }: ChildProcessWithoutNullStreams): Promise<void> {
  stdin.on('error', () => {})
  if (!stdin.write(csv('new', ROWS / 2))) await once(stdin, 'drain')
}

/** Kills an import that has read half of its rows from standard input. */
export async function killHalfFed(child: ChildProcessWithoutNullStreams): Promise<void> {
  const ended = outcomeOf(child)
  await feedHalf(child)
  await sleep(100)
  child.kill('SIGKILL')
  expect(await ended).toMatchObject({ status: 'SIGKILL' })
}
