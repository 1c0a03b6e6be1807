import { statSync } from 'node:fs'
import { CommandError } from './command-error.ts'

/**
 * Bytes of all files together; `null` where one is no regular file, or `-` for standard input.
 * @throws CommandError for one that is not there, or is a folder
 */
export function sizeOfFiles(files: readonly string[]): number | null {
  let size: number | null = 0
  for (const file of files) {
    if (file === '-') {
      size = null
      continue
    }
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) throw new CommandError(`There is no file ${file}.`)
    if (stats.isDirectory()) throw new CommandError(`${file} is a folder.`)
    size = size === null || !stats.isFile() ? null : size + stats.size
  }
  return size
}
