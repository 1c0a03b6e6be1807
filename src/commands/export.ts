import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Relation } from '../records/relation.ts'
import type { DatabaseLocation } from '../settings.ts'
import { openExport } from '../stores/transfer.ts'
import { missingDatabase, unusableDatabase } from './database-file.ts'

/** `lookup export users|apps`: JSON Lines on stdout, in the order of the ids. */
export async function runExport(
  { database }: Config,
  relation: Relation,
  output: NodeJS.WritableStream,
): Promise<void> {
  if (!existsSync(database.path)) throw missingDatabase(database)
  const { columns } = relation
  let text = ''
  for (const row of rowsOf(database, relation)) {
    const members = columns.map(({ name, type }, index) => {
      const value = type === 'boolean' ? row[index] === 1 : row[index]
      return [name, value]
    })
    text += `${JSON.stringify(Object.fromEntries(members))}\n`
    if (text.length < 64 * 1024) continue
    if (!output.write(text)) await once(output, 'drain')
    text = ''
  }
  output.write(text)
}

function* rowsOf(database: DatabaseLocation, relation: Relation): Generator<readonly unknown[]> {
  try {
    yield* openExport(database, relation)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
}
