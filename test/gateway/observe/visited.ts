// What gateways, in processes of their own, count and log of requests of each kind, and of databases that
// fail.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTables } from '../../../src/stores/transfer.ts'
import { type Answering, startAnswering } from '../../kit/answering.ts'
import { fill, temporaryFolder } from '../../kit/gateway.ts'
import { makeDatabase, showUsernamesBy } from '../../kit/postgres/database.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { change } from '../../stores/sqlite/support.ts'
import { ask, askAll, data, lookups } from './telling.ts'

export interface Visit {
  /** What /metrics prints. */
  readonly metrics: string
  readonly log: readonly string[]
  readonly requests: number
}

/** A trouble with the data, and what ends it. */
interface Trouble {
  readonly begin: () => unknown
  readonly end: () => unknown
}

let visits: Promise<readonly Visit[]> | null = null

/** Over SQLite, and over PostgreSQL; made once for the tests of a file. */
export function visited(): Promise<readonly Visit[]> {
  visits ??= Promise.all([visitSqlite(), visitPostgres()])
  return visits
}

async function visitSqlite(): Promise<Visit> {
  const folder = temporaryFolder()
  const database = { kind: 'sqlite', path: join(folder.path, 'zq7.db') } as const
  await makeTables(database)
  await fillFrom(folder.path, (name, file) => fill(database, name, file))
  const run = (sql: string) => () => change(database.path, sql)
  const old = await startOddService()
  const settings = {
    ...{ DATABASE_URL: `sqlite:${database.path}`, SHADOW_URL: old.url, SHADOW_SAMPLE: '1' },
    ...{ CUTOVER_URL: old.url, CUTOVER_SHARE: '1', CUTOVER_FALLBACK: 'on', CUTOVER_GUARD: 'off' },
  }
  const visit = await visitOver(folder.path, settings, [
    { begin: run('ALTER TABLE users RENAME TO gone'), end: run('ALTER TABLE gone RENAME TO users') },
    { begin: run('UPDATE users SET rank = 5000000000'), end: run('UPDATE users SET rank = 1') },
  ])
  old.close()
  folder.remove()
  return visit
}

/** An old service that knows no user, answers what was not asked for, and fails where it is asked for XML. */
function startOddService(): Promise<Answering> {
  return startAnswering(({ url = '' }, response) => {
    if (url.includes('XML')) response.writeHead(500)
    response.end(url.includes('AppLookup') ? '{"zq7-entry":{"zq7-field":"zq7-value"}}' : '{}')
  })
}

async function visitPostgres(): Promise<Visit> {
  const folder = temporaryFolder()
  // Servers that know nothing of each other, as far as the gateway can see.
  const [primary, replica] = await Promise.all([makeDatabase(), makeDatabase()])
  for (const { location } of [primary, replica]) {
    await makeTables(location)
    await fillFrom(folder.path, (name, file) => fill(location, name, file))
  }
  const spoilt = showUsernamesBy(`RAISE 'disk error';`)
  const run =
    (...sql: [primary: string | null, replica: string | null]) =>
    async () => {
      if (sql[0] !== null) await primary.run(sql[0])
      if (sql[1] !== null) await replica.run(sql[1])
    }
  const visit = await visitOver(
    folder.path,
    { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replica.url },
    [
      { begin: run(null, spoilt.begin), end: run(null, spoilt.end) },
      { begin: run(spoilt.begin, spoilt.begin), end: run(spoilt.end, spoilt.end) },
    ],
  )
  await Promise.all([primary.remove(), replica.remove()])
  folder.remove()
  return visit
}

async function visitOver(
  cwd: string,
  settings: Readonly<Record<string, string>>,
  troubles: readonly Trouble[],
): Promise<Visit> {
  const { shown, stop } = await serve({ cwd, env: { LOG_LEVEL: 'debug', LOG_SAMPLE: '1', ...settings } })
  const origin = (label: string) => originOf(shown[label])
  const url = origin('Legacy JSON')
  let requests = await askAll(url)
  for (const { begin, end } of troubles) {
    await begin()
    for (const target of lookups) await ask(url, target)
    await end()
    requests += lookups.length
  }
  const metrics = await (await fetch(`${origin('Readiness')}/metrics`)).text()
  const { stderr } = await stop()
  return { metrics, log: stderr.trimEnd().split('\n'), requests }
}

async function fillFrom(
  folder: string,
  fillWith: (name: 'users' | 'apps', file: string) => Promise<void>,
): Promise<void> {
  for (const name of ['users', 'apps'] as const) {
    const file = join(folder, `${name}.jsonl`)
    writeFileSync(file, `${data[name]}\n`)
    await fillWith(name, file)
  }
}
