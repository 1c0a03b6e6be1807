// The log and the metrics have no personal data from PostgreSQL's errors.

import { expect, onTestFinished, test } from 'vitest'
import { makeTables } from '../../src/stores/transfer.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { showUsernamesBy } from '../kit/postgres/engine.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { telling } from './telling.ts'
import { fillTelling, visit } from './visit.ts'

test('a primary and a replica that fail while they look up names', async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  // The gateway sees no relation between these two servers.
  const shared = await PostgresServer.shared()
  const [primary, replica] = [await shared.makeDatabase(), await shared.makeDatabase()]
  for (const { location, remove } of [primary, replica]) {
    onTestFinished(remove)
    await makeTables(location)
    await fillTelling(folder.path, location)
  }
  const { begin, end } = showUsernamesBy(`RAISE 'disk error';`)
  const settings = { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replica.url }
  const { log, metrics } = await visit(folder.path, settings, [
    { begin: () => replica.run(begin), end: () => replica.run(end) },
    {
      begin: () => Promise.all([primary.run(begin), replica.run(begin)]),
      end: () => Promise.all([primary.run(end), replica.run(end)]),
    },
  ])
  const types = log.map(({ type }) => type)
  expect(types).toEqual(expect.arrayContaining(['store-retried', 'store-failed']))
  expect(log.map((line) => JSON.stringify(line)).filter((line) => telling.test(line))).toEqual([])
  expect(metrics.replaceAll(/\boperation="\w+"/g, '')).not.toMatch(telling)
})
