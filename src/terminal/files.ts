// Checks the files that a command reads and writes before its long work begins.

import { closeSync, existsSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { messageOf } from '../text.ts'
import { CommandError, UsageError } from './command-error.ts'

/**
 * Bytes of all files together; `null` if one of them is no regular file, or `-` for standard input.
 * @throws CommandError if a file is missing, is a folder, or is named twice: it would count twice
 */
export function sizeOfFiles(files: readonly string[]): number | null {
  let size: number | null = 0
  /** The names of files by their device and number. */
  const seen = new Map<string, string>()
  for (const file of files) {
    // Numbers of files may be larger than a double holds.
    const stats = file === '-' ? null : statSync(file, { throwIfNoEntry: false, bigint: true })
    if (stats === undefined) throw new CommandError(`There is no file ${file}. Check the path.`)
    if (stats?.isDirectory()) throw new CommandError(`${file} is a folder. Name a file in it.`)
    const id = stats === null ? file : `${stats.dev} ${stats.ino}`
    const before = seen.get(id)
    if (before === file) throw new CommandError(`${file} is given twice. Give it once.`)
    if (before !== undefined) throw new CommandError(`${before} and ${file} are the same file. Give it once.`)
    seen.set(id, file)
    size = size === null || !stats?.isFile() ? null : size + Number(stats.size)
  }
  return size
}

/** @throws CommandError if the file cannot be written */
export function refuseUnwritable(file: string): void {
  const isNew = !existsSync(file)
  try {
    closeSync(openSync(file, 'a'))
    // If the file is a link to nothing, its target was created. The link stays.
    if (isNew) rmSync(realpathSync(file))
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${messageOf(error)}. Name another file.`)
  }
}

/** @throws UsageError if an output would overwrite one of the inputs @param what names the output */
export function refuseOverwriting(what: string, file: string, inputs: readonly string[]): void {
  if (!existsSync(file)) return
  const victim = inputs.find((input) => existsSync(input) && realpathSync(input) === realpathSync(file))
  if (victim === undefined) return
  throw new UsageError(`The ${what} would overwrite ${victim}. Choose another file.`)
}
