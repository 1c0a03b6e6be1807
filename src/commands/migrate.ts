import type { Config } from '../config.ts'
import { makeTables } from '../stores/transfer.ts'
import { unusableDatabase } from './database-file.ts'

/** `lookup migrate` */
export function runMigrate({ database }: Config): void {
  try {
    makeTables(database)
  } catch (error) {
    throw unusableDatabase(database, error)
  }
  process.stdout.write(`The tables users and apps are in ${database.path}.\n`)
}
