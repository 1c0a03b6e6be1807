import type { Config } from '../config.ts'
import { makeTables } from '../stores/transfer.ts'
import { nameOf, unusableDatabase } from './database.ts'

/** `lookup migrate` */
export async function runMigrate({ database }: Config): Promise<void> {
  try {
    await makeTables(database)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
  process.stdout.write(`The tables users and apps are in ${nameOf(database)}.\n`)
}
