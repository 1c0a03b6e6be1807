import type { MysqlLocation } from '../../../src/database-location.ts'
import { databaseOf, limits, type RemovableOf } from '../engine.ts'
import type { MysqlServer } from './server.ts'

export type TestDatabase = RemovableOf<MysqlLocation>

let made = 0

export function locate(url: string, ...replicas: readonly string[]): MysqlLocation {
  return { kind: 'mysql', url, peers: [], replicas, dirtyReads: false, ...limits }
}

/** Makes an empty database in a server. @param options such as its character set */
export async function makeDatabase(server: MysqlServer, options = ''): Promise<TestDatabase> {
  const name = `test_${process.pid}_${++made}`
  await server.run(`CREATE DATABASE ${name} ${options}`)
  return {
    ...databaseOf(server, name, locate),
    remove: async () => {
      await server.run(`DROP DATABASE ${name}`)
    },
  }
}
