import type { Config } from '../config.ts'
import { nameOf, ours, unusableDatabase } from './database-errors.ts'
import { makeTables } from './transfer.ts'

/** `lookup migrate` */
export async function runMigrate(config: Config): Promise<void> {
  const database = ours(config.database)
  try {
    await makeTables(database)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
  process.stdout.write(`The tables users and apps are in ${nameOf(database)}.\n`)
}
