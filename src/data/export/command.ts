// `lookup export users|apps` writes JSON Lines to stdout, in the order of the ids.

import { once } from 'node:events'
import type { Config } from '../../config/config.ts'
import type { OwnDatabase } from '../../config/database.ts'
import { isMissing, missingDatabase, ours, unusableDatabase } from '../../stores/database-errors.ts'
import { openExport } from '../../stores/transfer.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Relation } from '../relation.ts'

export async function runExport({ stdout }: Terminal, config: Config, relation: Relation): Promise<void> {
  const database = ours(config.database)
  if (isMissing(database)) throw missingDatabase(database)
  const { columns } = relation
  let text = ''
  for await (const row of rowsOf(database, relation)) {
    const members = columns.map(({ name, type, optional, read }, index) => {
      const value = row[index]
      if (type === 'boolean') return [name, Boolean(value)]
      // A view may have NULL, and a file to import may not: export the value that lookups return.
      return [name, value === null && !optional ? read(null) : value]
    })
    text += `${JSON.stringify(Object.fromEntries(members))}\n`
    if (text.length < 64 * 1024) continue
    if (!stdout.write(text)) await once(stdout, 'drain')
    text = ''
  }
  stdout.write(text)
}

async function* rowsOf(database: OwnDatabase, relation: Relation): AsyncGenerator<readonly unknown[]> {
  try {
    yield* openExport(database, relation)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
}
