// How a query ends that gets no response.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pool } from '../../../src/stores/servers/pool.ts'
import { engines, useDatabase } from '../../kit/engines.ts'

const question = (text: string) => ({ name: '', text, values: [] })
const failureOf = (rows: Promise<unknown>) =>
  rows.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe.for(engines)('$name', (engine) => {
  const { sleep, asking, sessionId } = engine.words
  const { describeError, isPassing, isWorthRetrying } = engine.engine.errors
  const database = useDatabase(engine)
  let pool: Pool
  beforeAll(() => {
    const location = { ...database().location, timeout: 10_000 }
    pool = engine.engine.reach('DATABASE_URL', database().url, location).openPool(2, 'asked')
  })
  afterAll(() => pool.close())
  const sleeping = (seconds: number) => database().run(asking(`SELECT %sleep(${seconds})%`))

  test('the server is taken out of use: the query may go to another server', async () => {
    const failure = failureOf(pool.begin(question(sleep(5)), 5000).rows)
    await expect.poll(() => sleeping(5), { interval: 5 }).toHaveLength(1)
    pool.cut()
    expect(describeError(await failure)).toBe('the server was taken out of use.')
    expect([isPassing(await failure), isWorthRetrying(await failure)]).toEqual([true, true])
    expect(await pool.begin(question('SELECT 1'), 5000).rows).toEqual([[1]])
  })

  test('the query takes too long: the error has its timeout', async () => {
    const failure = failureOf(pool.begin(question(sleep(5)), 100).rows)
    expect(describeError(await failure)).toMatch(/^no response within 100 ms\./)
  })

  test('a cancelled query ends at the server, and its session is not used again', async () => {
    const { rows, cancel } = pool.begin(question(sleep(6, sessionId)), 6000)
    const failure = failureOf(rows)
    await expect.poll(() => sleeping(6), { interval: 5 }).toHaveLength(1)
    const [session] = await sleeping(6)
    cancel()
    expect(describeError(await failure)).toBe('the query was cancelled.')
    expect([isPassing(await failure), isWorthRetrying(await failure)]).toEqual([false, false])
    await expect.poll(() => sleeping(6), { interval: 20, timeout: 3000 }).toEqual([])
    expect(session).toHaveLength(1)
    expect(await pool.begin(question(`SELECT ${sessionId}`), 5000).rows).not.toEqual([session])
  })

  test('a query that is cancelled before it has a connection is not sent', async () => {
    const busy = [1, 2].map(() => pool.begin(question(sleep(0.3)), 5000).rows)
    const { rows, cancel } = pool.begin(question('SELECT 3'), 5000)
    cancel()
    expect(describeError(await failureOf(rows))).toBe('the query was cancelled.')
    await Promise.all(busy)
  })

  test.for(['giveUp', 'cancel'] as const)(
    '%s after a query is over does no harm to the next query of its connection',
    async (end) => {
      const first = pool.begin(question('SELECT 1'), 5000)
      await first.rows
      const next = pool.begin(question(sleep(0.1, '2')), 5000)
      first[end](new Error('too late'))
      expect(await next.rows).toEqual([[2]])
    },
  )
})
