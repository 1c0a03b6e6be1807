import type { Config } from '../config.ts'
import { makeTables } from '../stores/transfer.ts'
import { nameOf, ours, unusableDatabase } from './database.ts'

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
