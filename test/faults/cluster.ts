// A primary and a standby of its own, filled with the sample data, and a gateway that reads from both.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { DatabaseServer } from '../kit/database-server.ts'
import type { TestEngine } from '../kit/engine.ts'
import { engines, makeForum, readerUrl } from '../kit/engines.ts'
import { figure } from '../kit/figures.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { ask } from '../kit/load.ts'
import { type Serving, serve } from '../kit/serving.ts'

/** By day, PostgreSQL has all tests of engines, and MariaDB a few; at night, every engine has all. */
export const enginesOfDay: readonly TestEngine[] = figure(engines.slice(0, 1), engines)
export const enginesOfFew: readonly TestEngine[] = figure(engines.slice(0, 2), engines)

export interface Cluster {
  readonly primary: DatabaseServer
  readonly standby: DatabaseServer
}

/** Makes a cluster for the tests of a `describe`; each of them finds it whole. */
export function useCluster(engine: TestEngine): () => Cluster {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await makeCluster(engine)
  })
  afterAll(() => removeCluster(cluster))
  return () => cluster
}

export async function makeCluster(engine: TestEngine): Promise<Cluster> {
  const [primary, standby] = await engine.startPair()
  await makeForum(engine, primary)
  await standby.untilCaughtUp(primary)
  return { primary, standby }
}

export async function removeCluster({ primary, standby }: Cluster): Promise<void> {
  for (const server of [standby, primary]) {
    server.thaw()
    await server.remove()
  }
}

interface Fault {
  readonly begin: (server: DatabaseServer) => Promise<void>
  readonly end: (server: DatabaseServer) => Promise<void>
}

/** The faults of a server. */
export const faults = {
  killed: { begin: (server) => server.kill(), end: (server) => server.start() },
  stopped: { begin: (server) => server.stop(), end: (server) => server.start() },
  frozen: { begin: async (server) => server.freeze(), end: async (server) => server.thaw() },
} as const satisfies Record<string, Fault>

/** How a server is named in logs. */
export const portOf = ({ port }: DatabaseServer): string => `:${port}/`

export interface Gateway extends Serving {
  /** Waits for a line of the log. @returns milliseconds of waiting */
  readonly untilLogged: (type: string, server: string, within: number) => Promise<number>
}

/** Starts a gateway in a process of its own; the end of the test ends it. */
export function serveCluster(
  { primary, standby }: Cluster,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const urls = { DATABASE_URL: readerUrl(primary), DATABASE_REPLICA_URLS: readerUrl(standby) }
  return serveSettings({ ...urls, ...settings })
}

/** Starts a gateway with these settings. */
export async function serveSettings(env: Readonly<Record<string, string>>): Promise<Gateway> {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const serving = await serve({ cwd: folder.path, env, timeout: 120_000 })
  const untilLogged: Gateway['untilLogged'] = async (type, server, within) => {
    const started = performance.now()
    await serving.log.next(type, within, server)
    return performance.now() - started
  }
  return { ...serving, untilLogged }
}

/** The status of a page on the admin port. */
export async function statusOf(url: string): Promise<number> {
  return (await ask(url)).status
}
