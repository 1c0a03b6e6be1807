// Servers without a network: all of the store but the sessions, which answer as a test says.

import type { Socket } from 'node:net'
import type { ServersLocation } from '../../../src/config/database.ts'
import type { Observation } from '../../../src/observe/events.ts'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { questions } from '../../../src/stores/postgres/statements.ts'
import type { Connect, Engine, Question, Row, Session } from '../../../src/stores/servers/engine.ts'
import { createLogin } from '../../../src/stores/servers/login.ts'
import { openPool } from '../../../src/stores/servers/pool.ts'
import { openServers } from '../../../src/stores/servers/servers.ts'

/** What a server answers a question with. Its name is the host of its URL. */
export type Answer = (server: string, question: Question) => Promise<readonly Row[]>

/** An error as PostgreSQL sends it. */
export const failure = (code: string, message = 'failed') => Object.assign(new Error(message), { code })

export function sessionOf(ask: Session['ask'], socket: Socket): Session {
  const end = () => void socket.destroy()
  return { ask, isUsable: () => !socket.destroyed, cancel: () => {}, end, cut: end }
}

function engineOf(answer: Answer): Engine {
  const connect: Connect<string> = async (url, socket) =>
    sessionOf((question) => answer(new URL(url).hostname, question), socket)
  return {
    errors,
    questions,
    reach: (_setting, url) => ({
      openPool: (max) =>
        openPool(
          connect,
          errors,
          createLogin(() => url),
          { max },
        ),
      check: async () => [],
    }),
    createPlaceReader: () => async () => null,
    compare: () => null,
  }
}

/** Opens servers of these names; the first is the primary, and the others its replicas. */
export function openFakeServers(
  [primary = '', ...others]: readonly string[],
  answer: Answer,
  connections = 2,
) {
  const urlOf = (name: string) => `postgres://${name}/forum`
  const seen: Observation[] = []
  const location: ServersLocation = {
    kind: 'postgres',
    url: urlOf(primary),
    peers: [],
    replicas: others.map(urlOf),
    connections,
    timeout: 1000,
    maxLag: 10,
  }
  const servers = openServers(engineOf(answer), location, (one) => seen.push(one))
  return { servers, of: (type: Observation['type']) => seen.filter((one) => one.type === type) }
}
