// The file LEGACY_DIALECT → the dialect.

import { type Dialect, defaultDialect } from '../legacy/dialect.ts'
import { readDialect } from '../legacy/dialect-file.ts'
import { readDialectText } from './files.ts'
import type { Reading } from './reading.ts'

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
