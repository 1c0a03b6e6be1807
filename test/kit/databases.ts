// Global set-up: starts one server of an engine when a test first needs it, and ends all servers with the
// run.

import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import type { DatabaseServer } from './database-server.ts'
import { startShared as startMysql } from './mysql/server.ts'
import { keptPrograms, type Programs } from './postgres/programs.ts'
import { startShared as startPostgres } from './postgres/server.ts'
import { listenOn } from './proxy.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL that starts a server by its name. The response is its folder and port. */
    databases: string
    postgres: { readonly programs: Programs }
  }
}

const start: Readonly<Record<string, () => Promise<DatabaseServer>>> = {
  postgres: startPostgres,
  mariadb: () => startMysql('mariadb'),
  mysql: () => startMysql('mysql'),
}

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const servers = new Map<string, Promise<DatabaseServer>>()
  const coordinator = createServer(async ({ url = '' }, response) => {
    const name = url.slice(1)
    try {
      const server = servers.get(name) ?? start[name]?.()
      if (server === undefined) throw new Error(`there is no server ${name}`)
      servers.set(name, server)
      const { folder, port } = await server
      response.end(JSON.stringify({ folder, port }))
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error))
    }
  })
  provide('databases', `http://127.0.0.1:${await listenOn(coordinator)}`)
  provide('postgres', { programs: keptPrograms() })
  // Servers end with this process (database-server.ts), which a signal alone would end without its "exit".
  const exit = () => process.exit(1)
  process.once('SIGTERM', exit)
  return async () => {
    process.off('SIGTERM', exit)
    coordinator.close()
    const started = await Promise.allSettled(servers.values())
    await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.remove()))
  }
}
