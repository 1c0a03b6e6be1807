import { users } from '../../../src/data/users.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import type { Database, TestEngine } from '../../kit/engine.ts'
import { useDatabase } from '../../kit/engines.ts'
import { importInto, type Row } from '../import-data.ts'
import type { ImportTarget } from '../import-suite.ts'

/** One database for all tests of a `describe`. @returns empties its tables */
export function useImportTarget(engine: Pick<TestEngine, 'shared'>): () => Promise<ImportTarget> {
  const database = useDatabase(engine, ({ location }) => makeTables(location))
  return async () => {
    await database().run('DELETE FROM users; DELETE FROM apps')
    return {
      begin: (relation, replace) => openImporter(database().location, relation, replace),
      rows: async ({ name, columns, derived }) => {
        const names = [...columns.map(({ sql }) => quote(sql)), derived?.sql ?? []].flat()
        const rows = await database().run(`SELECT ${names.join()} FROM ${name} ORDER BY id`)
        // MySQL has keys as bytes.
        return rows.map((row) => row.map((value) => (value instanceof Buffer ? value.toString() : value)))
      },
      close: () => {},
    }
    function quote(column: string): string {
      return database().location.kind === 'mysql' ? `\`${column}\`` : column
    }
  }
}

/** Imports users. @returns the complaints about the rows, and what the operator should know */
export async function importUsers(
  { location }: Pick<Database, 'location'>,
  rows: readonly Row[],
  replace: boolean,
) {
  return importInto(await openImporter(location, users, replace), rows)
}
