// Files that are written at the end of a long work: whether that will work is known before it begins.

import { closeSync, existsSync, openSync, realpathSync, rmSync } from 'node:fs'
import { messageOf } from '../text.ts'
import { CommandError, UsageError } from './command-error.ts'

/** @throws CommandError where a file cannot be written */
export function refuseUnwritable(file: string): void {
  const isNew = !existsSync(file)
  try {
    closeSync(openSync(file, 'a'))
    if (isNew) rmSync(file)
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${messageOf(error)}. Name another file.`)
  }
}

/** What is written must not take the place of what is read. @throws UsageError */
export function refuseOverwriting(what: string, file: string, others: readonly string[]): void {
  if (!existsSync(file)) return
  const victim = others.find((other) => existsSync(other) && realpathSync(other) === realpathSync(file))
  if (victim === undefined) return
  throw new UsageError(`The ${what} would overwrite ${victim}. Choose another file.`)
}
