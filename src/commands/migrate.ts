import type { Config } from '../config.ts'
import { makeTables } from '../stores/open-store.ts'

/** `lookup migrate` */
export function runMigrate({ database }: Config): void {
  makeTables(database)
  process.stdout.write(`The tables users and apps are in ${database.path}.\n`)
}
