// A primary and a standby of its own, filled with the sample data, and a gateway that reads from both.

import { afterAll, beforeAll, inject, onTestFinished } from 'vitest'
import { makeTables } from '../../src/stores/transfer.ts'
import { fill, sample, temporaryFolder } from '../support/gateway.ts'
import { ask } from '../support/load.ts'
import { type Log, readLog } from '../support/log.ts'
import { locate } from '../support/postgres/database.ts'
import { PostgresServer } from '../support/postgres/server.ts'
import { originOf, type Serving, serve } from '../support/serving.ts'

export interface Cluster {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
}

/** Makes a cluster for the tests of a file; each of them finds it whole. */
export function useCluster(): () => Cluster {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await makeCluster()
  })
  afterAll(async () => {
    cluster.standby.thaw()
    cluster.primary.thaw()
    await cluster.standby.kill()
    await cluster.primary.kill()
  })
  return () => cluster
}

export async function makeCluster(): Promise<Cluster> {
  const { programs } = inject('postgres')
  const primary = await PostgresServer.start(programs)
  const location = locate(primary.url())
  await makeTables(location)
  await fill(location, 'users', sample.users)
  await fill(location, 'apps', sample.apps)
  return { primary, standby: await primary.startStandby(programs) }
}

export interface Gateway extends Serving {
  readonly url: string
  readonly adminUrl: string
  /** Milliseconds until it has logged something, from now on. */
  readonly untilLogged: (type: string, server: string, within: number) => Promise<number>
  readonly log: Log
}

/** Starts a gateway in a process of its own; the end of the test ends it. */
export async function serveCluster(
  { primary, standby }: Cluster,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const serving = await serve({
    cwd: folder.path,
    env: { DATABASE_URL: primary.url(), DATABASE_REPLICA_URLS: standby.url(), ...settings },
    timeout: 120_000,
  })
  const log = readLog(serving.process.stderr)
  const origin = (label: string) => originOf(serving.shown[label])

  async function untilLogged(type: string, server: string, within: number): Promise<number> {
    const started = performance.now()
    await log.next(type, within, server)
    return performance.now() - started
  }

  return { ...serving, url: origin('Legacy JSON'), adminUrl: origin('Readiness'), untilLogged, log }
}

/** The status of a page on the admin port. */
export async function statusOf(url: string): Promise<number> {
  return (await ask(url)).status
}
