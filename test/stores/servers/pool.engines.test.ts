// How a query ends that gets no response.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPool, type Pool } from '../../../src/stores/servers/pool.ts'
import { engines, useDatabase } from '../../kit/engines.ts'

const question = (text: string) => ({ name: '', text, values: [] })
const within = (milliseconds: number) => (waited: number) => (waited === 0 ? milliseconds : 0)

describe.for(engines)('$name', (engine) => {
  const { sleep, sessionId } = engine.words
  const { errors, readAccess } = engine.engine
  const database = useDatabase(engine)
  let pool: Pool
  beforeAll(() => {
    pool = openPool(1, errors)
    pool.use(readAccess(database().url, { connectTimeout: 3000, statementTimeout: 10_000, readOnly: true }))
  })
  afterAll(() => pool.close())
  const ask = (text: string, milliseconds = 5000) => pool.query(question(text), within(milliseconds))

  test('the query takes too long: the error has its timeout, and its connection is not used again', async () => {
    const session = await ask(`SELECT ${sessionId}`)
    const failure = await ask(sleep(5), 100).catch((error: unknown) => error)
    expect(errors.describeError(failure)).toMatch(/^no response within 100 ms\./)
    expect(await ask(`SELECT ${sessionId}`)).not.toEqual(session)
  })

  test('a query waits for a connection no longer than for its response', async () => {
    const first = ask(sleep(0.4))
    const failure = await ask('SELECT 1', 100).catch((error: unknown) => error)
    expect(errors.describeError(failure)).toMatch(/^no response within 100 ms\./)
    await first
    expect(await ask('SELECT 1')).toEqual([[1]])
  })

  test('it is asked again and again whether the query may go on', async () => {
    const asked: number[] = []
    const rows = pool.query(question(sleep(0.9)), (waited) => {
      asked.push(waited)
      return 100
    })
    expect(await rows).toEqual([[1]])
    expect(asked.slice(0, 3)).toEqual([0, 100, 200])
  })
})
