import { makeTables, openImporter } from '../../src/stores/transfer.ts'
import { makeDatabase } from '../support/postgres/database.ts'
import { importSuite } from './import-suite.ts'

importSuite('PostgreSQL', async () => {
  const database = await makeDatabase()
  await makeTables(database.location)
  return {
    begin: (relation, options) => openImporter(database.location, relation, options),
    rows: ({ name, columns, derived }) => {
      const names = [...columns.map(({ sql }) => sql), derived?.sql ?? []].flat()
      return database.run(`SELECT ${names.join()} FROM ${name} ORDER BY id`)
    },
    close: database.remove,
  }
})
