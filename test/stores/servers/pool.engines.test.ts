// How a query ends that gets no answer.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pool } from '../../../src/stores/servers/pool.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, useDatabases } from '../../kit/engines.ts'

const question = (text: string) => ({ name: '', text, values: [] })
const failureOf = (rows: Promise<unknown>) =>
  rows.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

describe.for(engines)('$name', (engine) => {
  const { sleep, asking, sessionId } = engine.words
  const { describeError, isPassing, isWorthRetrying } = engine.engine.errors
  const makeDatabase = useDatabases(engine)
  let database: TestDatabase
  let pool: Pool
  beforeAll(async () => {
    database = await makeDatabase()
    const location = { ...database.location, timeout: 10_000 }
    pool = engine.engine.reach('DATABASE_URL', database.url, location).openPool(2, 'asked')
  })
  afterAll(async () => {
    await pool.close()
    await database.remove()
  })
  const sleeping = (seconds: number) => database.run(asking(`SELECT %sleep(${seconds})%`))

  test('because the server is taken out of use: it says so, and another server may be asked', async () => {
    const { rows } = pool.begin(question(sleep(5)), 5000)
    const failure = failureOf(rows)
    await expect.poll(() => sleeping(5), { interval: 5 }).toHaveLength(1)
    pool.cut()
    expect(describeError(await failure)).toBe('the server was taken out of use.')
    expect([isPassing(await failure), isWorthRetrying(await failure)]).toEqual([true, true])
    expect(await pool.begin(question('SELECT 1'), 5000).rows).toEqual([[1]])
  })

  test('because it takes too long: the time it had is told', async () => {
    const failure = failureOf(pool.begin(question(sleep(5)), 100).rows)
    expect(describeError(await failure)).toMatch(/^no response within 100 ms\./)
  })

  test('that is given up once it is over does no harm to the next on its connection', async () => {
    const { rows, giveUp } = pool.begin(question('SELECT 1'), 5000)
    await rows
    const next = pool.begin(question(sleep(0.1, '2')), 5000)
    giveUp(new Error('too late'))
    expect(await next.rows).toEqual([[2]])
  })

  test('that is cancelled ends at the server, and its session is used for no other query', async () => {
    const { rows, cancel } = pool.begin(question(sleep(6, sessionId)), 6000)
    const failure = failureOf(rows)
    await expect.poll(() => sleeping(6), { interval: 5 }).toHaveLength(1)
    const [session] = await sleeping(6)
    cancel()
    expect(describeError(await failure)).toBe('the query was cancelled.')
    expect([isPassing(await failure), isWorthRetrying(await failure)]).toEqual([false, false])
    // It would sleep for 6 s.
    await expect.poll(() => sleeping(6), { interval: 20, timeout: 3000 }).toEqual([])
    expect(session).toHaveLength(1)
    expect(await pool.begin(question(`SELECT ${sessionId}`), 5000).rows).not.toEqual([session])
  })

  test('that is cancelled before it has a connection is not asked', async () => {
    const busy = [1, 2].map(() => pool.begin(question(sleep(0.3)), 5000).rows)
    const { rows, cancel } = pool.begin(question('SELECT 3'), 5000)
    cancel()
    expect(describeError(await failureOf(rows))).toBe('the query was cancelled.')
    await Promise.all(busy)
  })

  test('that is cancelled once it is over does no harm to the next on its connection', async () => {
    const { rows, cancel } = pool.begin(question('SELECT 1'), 5000)
    await rows
    const next = pool.begin(question(sleep(0.1, '2')), 5000)
    cancel()
    expect(await next.rows).toEqual([[2]])
  })
})
