// The servers that all tests of a run share, as global set-up (databases.ts) starts them: each when a test
// first asks for it.

import { inject } from 'vitest'

export type ServerName = 'postgres' | 'mariadb' | 'mysql'

/** How this process reaches a server that another one has started. */
export interface SharedServer {
  readonly folder: string
  readonly port: number
}

const known = new Map<ServerName, Promise<SharedServer>>()

/** @throws where its program is missing, with the command that installs it */
export function sharedServer(name: ServerName): Promise<SharedServer> {
  const server = known.get(name) ?? ask(name)
  known.set(name, server)
  return server
}

async function ask(name: ServerName): Promise<SharedServer> {
  const response = await fetch(`${inject('databases')}/${name}`)
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}
