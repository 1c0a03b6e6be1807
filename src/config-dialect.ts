// The file LEGACY_DIALECT → the dialect.

import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import type { Reading } from './config-files.ts'
import { type Dialect, defaultDialect } from './legacy/dialect.ts'
import { readDialect } from './legacy/dialect-file.ts'

const MAX_MIB = 4

/** @throws Error with the reason */
export function readDialectText(path: string): string {
  const found = statSync(path)
  // A pipe may wait for its writer for ever, and a device may have no end.
  if (!found.isFile()) throw new Error('it is no regular file')
  if (found.size > MAX_MIB * 2 ** 20) throw new Error(`it has more than ${MAX_MIB} MiB`)
  const bytes = readFileSync(path)
  // Letters of another charset would silently become U+FFFD.
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
  return bytes.toString('utf8')
}

export function readDialectFile(path: string | null, { problems }: Pick<Reading, 'problems'>): Dialect {
  if (path === null) return defaultDialect
  let content: string
  try {
    content = readDialectText(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    problems.push(
      `LEGACY_DIALECT: the file ${path} cannot be read: ${reason}. Check the path, the rights and the text.`,
    )
    return defaultDialect
  }
  const dialect = readDialect(content)
  if ('read' in dialect) return dialect
  problems.push(...dialect.map((problem) => `LEGACY_DIALECT (${path}): ${problem}`))
  return defaultDialect
}
