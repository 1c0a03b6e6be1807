import { makeTables } from '../../../src/stores/transfer.ts'
import { fill, type Gateway, sample, startGatewayOver } from '../gateway.ts'
import { makeDatabase, type TestDatabase } from './database.ts'

export interface PostgresGateway extends Omit<Gateway, 'database'> {
  readonly database: TestDatabase
}

/**
 * A real gateway on a free port, over a database of its own on the PostgreSQL server that all tests share.
 */
export async function startGatewayOnPostgres(
  settings: Readonly<Record<string, string>> = {},
  data: { readonly users?: string; readonly apps?: string } = sample,
): Promise<PostgresGateway> {
  const database = await makeDatabase()
  await makeTables(database.location)
  if (data.users !== undefined) await fill(database.location, 'users', data.users)
  if (data.apps !== undefined) await fill(database.location, 'apps', data.apps)
  const gateway = await startGatewayOver({ ...settings, DATABASE_URL: database.url })
  const close = async () => {
    await gateway.close()
    await database.remove()
  }
  return { ...gateway, database, close }
}
