// One connection to MySQL or MariaDB, for lookups.

import type { Socket } from 'node:net'
import type { Question, Row, Session } from '../servers/engine.ts'
import { QueryCancelled } from '../servers/errors.ts'
import type { Config } from './connection.ts'
import { killQuery } from './kill.ts'
import { ask as askServer, logIn } from './login.ts'

export async function connect(config: Config, socket: Socket): Promise<Session> {
  const connection = await logIn(config, socket)
  let isUsable = true
  const lose = () => {
    isUsable = false
  }
  // A query that is under way fails with its connection; the loss of an idle one concerns no query.
  connection.on('error', lose).on('end', lose)
  let isOutOfStep = false
  // A packet of another number than the next one: it may belong to another query. The driver would go on.
  connection.on('warn', () => {
    isOutOfStep = true
    lose()
    socket.destroy()
  })
  let isKilled = false

  async function ask({ text }: Question): Promise<readonly Row[]> {
    const rows = await askServer(connection, text)
    // Neither is an answer: it would be taken for "nothing matches".
    if (isOutOfStep) throw new Error('the server sent packets out of order')
    if (rows === null) throw new Error('the server answered a lookup without a result')
    // Some functions have a value, instead of an error, where they are interrupted: no row of it is an answer.
    if (isKilled) throw new QueryCancelled()
    return rows
  }

  return {
    ask,
    isUsable: () => isUsable,
    cancel: () => {
      isKilled = true
      void killQuery(config, connection.threadId, socket)
    },
    end: () => connection.end(() => {}),
    cut: () => void socket.destroy(),
  }
}
