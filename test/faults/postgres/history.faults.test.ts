// Servers of PostgreSQL whose history is not known, or is another one.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { makeForum, readerUrl } from '../../kit/engines.ts'
import { ask } from '../../kit/load.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'
import { giveAway, makePristine } from '../../kit/postgres/programs.ts'
import { PostgresServer } from '../../kit/postgres/server.ts'
import { type Cluster, makeCluster, portOf, removeCluster, serveCluster } from '../cluster.ts'

let cluster: Cluster
beforeEach(async () => {
  cluster = await makeCluster(postgresEngine)
})
afterEach(() => removeCluster(cluster))

test('a primary that is there, and does not say where it is, is named', async () => {
  const { primary, standby } = cluster
  await primary.run(
    `CREATE SCHEMA odd; GRANT USAGE ON SCHEMA odd TO reader;
    CREATE FUNCTION odd.pg_control_system(OUT system_identifier bigint) LANGUAGE plpgsql AS $$ BEGIN
      IF NOT pg_is_in_recovery() THEN RAISE 'disk error'; END IF;
      SELECT system.system_identifier INTO system_identifier FROM pg_catalog.pg_control_system() AS system;
    END $$;
    ALTER ROLE reader SET search_path = odd, pg_catalog, public`,
    'forum',
  )
  await standby.untilCaughtUp(primary)
  const gateway = await serveCluster(cluster)
  expect(await gateway.log.next('history-unknown', 8000, portOf(primary))).toMatchObject({
    reason: 'disk error.',
  })
  await pause(2000)
  expect(gateway.log.of('history-unknown')).toHaveLength(1)
  expect(await ask(`${gateway.url}/?Event=ProfileLookup&Users=1`)).toMatchObject({ status: 200 })
})

test('a server of another system is named at the start, and used', async () => {
  const { home, bin } = inject('postgres').programs
  const folder = mkdtempSync(join(home, 'other-'))
  giveAway(folder)
  const other = await PostgresServer.start(makePristine(folder, bin))
  onTestFinished(() => other.remove())
  await makeForum(postgresEngine, other)
  const gateway = await serveCluster(cluster, { DATABASE_REPLICA_URLS: readerUrl(other) })
  const named = () => gateway.log.of('lag-unknown')
  await expect.poll(named).toMatchObject([
    {
      server: expect.stringContaining(portOf(other)),
      reason: expect.stringContaining('their system identifiers differ'),
    },
  ])
  await pause(2500)
  expect(named()).toHaveLength(1)
  expect(gateway.log.of('server-out')).toEqual([])
})
