// Adds visits to a census file, and keeps it bounded.

import { type CensusDatabase, changeCensusFile } from '../census-file.ts'
import { dayOf, MAX_DAYS } from '../days.ts'
import { createHash } from '../hash.ts'
import { keyFileOf, readKey, readOrMakeKey } from '../key-file.ts'
import { originOf } from '../origin.ts'
import { MAX_CLIENTS, MAX_FAMILIES, MAX_VERSIONS, OTHER_FAMILY } from '../tally.ts'
import { agentOf } from '../user-agent.ts'
import type { Counted, Visit, WriterPlace } from './visit.ts'

/** Clients that are forgotten at a time, so that it does not happen at every writing. */
const FORGOTTEN_AT_ONCE = 500

/** @throws Error: then nothing was written */
export function writeVisits({ file, keyFile }: WriterPlace, visits: readonly Visit[]): void {
  const key = keyFile === null ? readOrMakeKey(keyFileOf(file)) : readKey(keyFile)
  const hash = createHash(key.text)
  changeCensusFile(file, (database) => {
    const rows = rowsOf(database)
    const lastDay = dayOf(
      Number(database.prepare(`SELECT max(last) AS last FROM client WHERE hash <> ''`).get()?.last),
    )
    for (const { address, agent, referer, first, last, asked } of visits) {
      const { family, version } = agentOf(agent)
      const client =
        address === null
          ? rows.rest(OTHER_FAMILY, first, last)
          : rows.client([key.id, hash(address), family, originOf(referer)], first, last)
      if (version !== '' && address !== null) rows.addVersion(client, version)
      for (const one of asked.values()) rows.addAsked(client, one)
    }
    forgetClients(database, rows)
    forgetDays(database, lastDay, Math.max(...visits.map(({ last }) => dayOf(last))))
  })
}

type Rows = ReturnType<typeof rowsOf>

function rowsOf(database: CensusDatabase) {
  const seen =
    database.prepare(`INSERT INTO client (key, hash, family, origin, first, last) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last) RETURNING id`)
  const known = database.prepare(
    `SELECT 1 FROM client WHERE key = '' AND hash = '' AND family = ? AND origin = ''`,
  )
  const families = database.prepare(`SELECT count(*) AS number FROM client WHERE key = '' AND hash = ''`)
  const version = database.prepare(`INSERT OR IGNORE INTO version SELECT ?1, ?2
    WHERE (SELECT count(*) FROM version WHERE client = ?1) < ${MAX_VERSIONS}`)
  const daily = database.prepare(
    'INSERT INTO day VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests',
  )
  const asked = database.prepare(
    'INSERT INTO asked VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests',
  )
  const client = (names: readonly [string, string, string, string], first: number, last: number) =>
    Number(seen.get(...names, first, last)?.id)
  return {
    client,
    /** What stands for those of a family that are not told apart. */
    rest: (family: string, first: number, last: number) => {
      const isTold = known.get(family) !== undefined || Number(families.get()?.number) < MAX_FAMILIES
      return client(['', '', isTold ? family : OTHER_FAMILY, ''], first, last)
    },
    addVersion: (client: number, text: string) => void version.run(client, text),
    addAsked: (client: number, { day, event, method, format, problem, requests }: Counted) => {
      daily.run(client, day, requests)
      asked.run(client, event, method, format, problem, requests)
    },
  }
}

/** Those that have not been seen for the longest time become a part of the rest of their families. */
function forgetClients(database: CensusDatabase, rows: Rows): void {
  const clients = Number(
    database.prepare(`SELECT count(*) AS number FROM client WHERE hash <> ''`).get()?.number,
  )
  if (clients <= MAX_CLIENTS) return
  database.exec('CREATE TEMP TABLE gone (id INTEGER PRIMARY KEY, rest INTEGER)')
  const add = database.prepare('INSERT INTO gone VALUES (?, ?)')
  const oldest = database
    .prepare(`SELECT id, family, first, last FROM client WHERE hash <> '' ORDER BY last LIMIT ?`)
    .all(clients - MAX_CLIENTS + FORGOTTEN_AT_ONCE)
  for (const { id, family, first, last } of oldest)
    add.run(Number(id), rows.rest(String(family), Number(first), Number(last)))
  database.exec(`
    INSERT INTO forgotten SELECT 'day', day, count(*) FROM day JOIN gone ON client = gone.id WHERE true GROUP BY day
      ON CONFLICT DO UPDATE SET clients = clients + excluded.clients;
    INSERT INTO forgotten SELECT 'week', day - (day + 3) % 7 AS monday, count(DISTINCT client)
      FROM day JOIN gone ON client = gone.id WHERE true GROUP BY monday
      ON CONFLICT DO UPDATE SET clients = clients + excluded.clients;
    INSERT INTO day SELECT rest, day, sum(requests) FROM day JOIN gone ON client = gone.id WHERE true GROUP BY rest, day
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests;
    INSERT INTO asked SELECT rest, event, method, format, problem, sum(requests)
      FROM asked JOIN gone ON client = gone.id WHERE true GROUP BY rest, event, method, format, problem
      ON CONFLICT DO UPDATE SET requests = requests + excluded.requests;
    DELETE FROM day WHERE client IN (SELECT id FROM gone);
    DELETE FROM asked WHERE client IN (SELECT id FROM gone);
    DELETE FROM version WHERE client IN (SELECT id FROM gone);
    DELETE FROM client WHERE id IN (SELECT id FROM gone);
    DROP TABLE gone`)
}

/** Once a day: it reads all rows. */
function forgetDays(database: CensusDatabase, before: number, today: number): void {
  if (today <= before) return
  database.prepare('DELETE FROM day WHERE day <= ?').run(today - MAX_DAYS)
  database.prepare('DELETE FROM forgotten WHERE day <= ?').run(today - MAX_DAYS - 7)
}
