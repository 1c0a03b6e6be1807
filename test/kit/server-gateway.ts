import { makeTables } from '../../src/stores/transfer.ts'
import type { Given } from './dialect.ts'
import type { TestDatabase, TestEngine } from './engine.ts'
import { fill, type Gateway, sample, startGatewayOver } from './gateway.ts'

export interface ServerGateway extends Omit<Gateway, 'database'> {
  readonly database: TestDatabase
}

/** A real gateway on a free port, over a database of its own on a real server. */
export function startGatewayOn(engine: TestEngine) {
  return async (
    settings: Given = {},
    data: { readonly users?: string; readonly apps?: string } = sample,
  ): Promise<ServerGateway> => {
    const database = await (await engine.shared()).makeDatabase()
    await makeTables(database.location)
    for (const name of ['users', 'apps'] as const) {
      const file = data[name]
      if (file !== undefined) await fill(database.location, name, file)
    }
    const gateway = await startGatewayOver({ ...settings, DATABASE_URL: database.url })
    const close = async () => {
      await gateway.close()
      await database.remove()
    }
    return { ...gateway, database, close }
  }
}
