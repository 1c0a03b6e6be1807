import { statSync } from 'node:fs'
import { CommandError } from './command-error.ts'

/**
 * Bytes of all files together; `null` where one is no regular file, or `-` for standard input.
 * @throws CommandError for one that is not there, is a folder, or was named before: it would count twice
 */
export function sizeOfFiles(files: readonly string[]): number | null {
  let size: number | null = 0
  const seen = new Map<string, string>()
  const refuseTwice = (file: string, id: string) => {
    const before = seen.get(id)
    if (before !== undefined)
      throw new CommandError(
        before === file
          ? `${file} is given twice. Give it once.`
          : `${before} and ${file} are the same file. Give it once.`,
      )
    seen.set(id, file)
  }
  for (const file of files) {
    if (file === '-') {
      size = null
      refuseTwice(file, file)
      continue
    }
    // Numbers of files may be larger than a double holds.
    const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
    if (stats === undefined) throw new CommandError(`There is no file ${file}. Check the path.`)
    if (stats.isDirectory()) throw new CommandError(`${file} is a folder. Name a file in it.`)
    refuseTwice(file, `${stats.dev} ${stats.ino}`)
    size = size === null || !stats.isFile() ? null : size + Number(stats.size)
  }
  return size
}
