// `lookup migrate` makes the missing tables.

import type { Config } from '../config/config.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { nameOf, ours, unusableDatabase } from './database-errors.ts'
import { makeTables } from './transfer.ts'

export async function runMigrate({ stdout }: Terminal, config: Config): Promise<void> {
  const database = ours(config.database)
  try {
    await makeTables(database)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
  stdout.write(`The tables users and apps are in ${nameOf(database)}.\n`)
}
