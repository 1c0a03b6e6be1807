// One server of each flavour for all tests of a file; each makes databases of its own in it.

import { afterAll } from 'vitest'
import type { Flavour } from './programs.ts'
import { MysqlServer } from './server.ts'

const servers = new Map<Flavour, Promise<MysqlServer>>()
afterAll(async () => {
  for (const server of servers.values()) await (await server).remove()
})

/** Starts it where no test has yet. The end of the file ends it. */
export function sharedServer(flavour: Flavour): Promise<MysqlServer> {
  const server = servers.get(flavour) ?? MysqlServer.start(flavour, ['--local-infile=ON'])
  servers.set(flavour, server)
  return server
}
