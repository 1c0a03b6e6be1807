// Servers without a network: all code of the room but the drivers, whose results a test chooses.

import type { ServersLocation } from '../../../src/config/database.ts'
import { storedColumns } from '../../../src/data/relation.ts'
import { relations } from '../../../src/data/relations.ts'
import type { Observation } from '../../../src/observe/events.ts'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { statements } from '../../../src/stores/postgres/statements.ts'
import {
  type Engine,
  plain,
  type ReplicationState,
  type ServerRow,
  type Session,
  type Statement,
} from '../../../src/stores/servers/driver.ts'
import { openServers } from '../../../src/stores/servers/servers.ts'

/** The result of a statement. The name of a server is the host of its URL. */
export type Answer = (server: string, statement: Statement) => Promise<readonly ServerRow[]>

/** An error as PostgreSQL sends it. */
export const failure = (code: string, message = 'failed') => Object.assign(new Error(message), { code })

/** The columns as they should be. */
const columnsOf = ({ text }: Statement): readonly ServerRow[] =>
  storedColumns(text.includes('FROM users') ? relations.users : relations.apps).map(({ sql, type }) => [
    ...[sql, type, type],
  ])

export const isCheck = ({ describes }: Statement) => describes === true

export const standby: ReplicationState = {
  ...{ writable: false, position: 1n, lineage: 'one', server: '', history: '1', executed: null },
  ...{ secondsBehind: null, node: null, unready: null },
}
const whoAreYou = plain('SELECT the name of the server')

function engineOf(answer: Answer, stateOf: (server: string) => ReplicationState): Engine {
  const sessionOf = (name: string): Session => ({
    query: (statement, done) => {
      const rows = statement === whoAreYou ? Promise.resolve([[name]]) : answer(name, statement)
      rows.then(
        (found) => done(null, isCheck(statement) ? columnsOf(statement) : found),
        (error: unknown) => done(error, []),
      )
    },
    end: () => {},
    destroy: () => {},
  })
  return {
    ...{ errors, statements },
    readLogin: (url) => ({ key: url, connect: async () => sessionOf(new URL(url).hostname) }),
    readReplicationState: async (run) => stateOf(String((await run(whoAreYou))[0]?.[0])),
    compare: async () => ({ relationship: 'follows', own: 0n }),
    inspect: async () => [],
    reasons: { writable: 'it accepts writes', 'is ahead': '', 'is unrelated': '' },
  }
}

const urlOf = (name: string) => `postgres://${name}/forum`

/** Opens servers of these names; the first is the primary, and the others its replicas, or its peers. */
export async function openFakeServers(
  [primary = '', ...others]: readonly string[],
  answer: Answer,
  connections = 2,
  stateOf: (server: string) => ReplicationState = () => standby,
  role: 'peers' | 'replicas' = 'replicas',
) {
  const seen: Observation[] = []
  const location: ServersLocation = {
    ...{ kind: 'postgres', url: urlOf(primary), peers: [], replicas: [], [role]: others.map(urlOf) },
    ...{ connections, timeout: 1000, maxLag: 10 },
  }
  const servers = openServers(engineOf(answer, stateOf), location, (one) => seen.push(one))
  await servers.check()
  return { servers, of: (type: Observation['type']) => seen.filter((one) => one.type === type) }
}
