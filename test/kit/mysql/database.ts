import type { TestDatabase } from '../database-server.ts'
import type { MysqlServer } from './server.ts'

export { locate } from './server.ts'

/** Makes an empty database in a server. */
export const makeDatabase = (server: MysqlServer): Promise<TestDatabase> => server.makeDatabase()
