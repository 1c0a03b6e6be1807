// One connection to PostgreSQL.

import type { Socket } from 'node:net'
import pg from 'pg'
import type { Question, Row, Session, Value } from '../servers/engine.ts'
import { keepSessionKey, requestCancel } from './cancel.ts'
import { isStalePlan } from './errors.ts'

export async function connect(config: pg.ClientConfig, socket: Socket): Promise<Session> {
  const client = new pg.Client({ ...config, stream: () => socket })
  let isUsable = true
  const lose = () => {
    isUsable = false
  }
  // A query that is under way fails with its connection; the loss of an idle one concerns no query.
  client.on('error', lose).on('end', lose)
  keepSessionKey(client)
  await client.connect()

  async function ask(question: Question): Promise<readonly Row[]> {
    try {
      return await query(client, question)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      // What it has prepared is for a table or view that has changed since.
      lose()
      return query(client, { ...question, name: '' })
    }
  }

  return {
    ask,
    isUsable: () => isUsable,
    cancel: () => requestCancel(client),
    end: () => void client.end().catch(() => {}),
    cut: () => client.connection.stream.destroy(),
  }
}

/**
 * By a callback: with pg's own promises, V8 promotes nearly all rows to the old generation, and collects that
 * three times as often, while requests wait.
 */
function query(client: pg.Client, question: Question): Promise<readonly Row[]> {
  const values = [...question.values]
  return new Promise((resolve, reject) => {
    client.query<Value[]>({ ...question, values, rowMode: 'array' }, (error: Error | null, result) => {
      if (error) reject(error)
      else resolve(result.rows)
    })
  })
}
