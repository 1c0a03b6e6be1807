// One PostgreSQL server for all tests that only need some; each makes a database of its own in it.

import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { type Programs, unpackPrograms } from './programs.ts'
import { PostgresServer } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { readonly programs: Programs; readonly port: number }
  }
}

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const programs = unpackPrograms()
  const server = await PostgresServer.start(programs)
  provide('postgres', { programs, port: server.port })
  return async () => {
    await server.stop()
    rmSync(programs.home, { recursive: true, force: true })
  }
}
