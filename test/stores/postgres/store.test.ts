import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { openServer } from '../../../src/stores/postgres/server.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { makeDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { storeSuite } from '../store-suite.ts'
import { makePostgresStore } from './support.ts'
import { views } from './views.ts'

storeSuite('PostgreSQL tables', (observe) =>
  makePostgresStore(
    { create: ({ location }) => makeTables(location), breakDown: 'DROP TABLE users; DROP TABLE apps' },
    observe,
  ),
)

storeSuite('PostgreSQL views over other tables', (observe) =>
  makePostgresStore(
    {
      create: ({ run }) => run(views),
      breakDown: 'DROP TABLE account CASCADE; DROP TABLE release CASCADE',
    },
    observe,
  ),
)

describe('a PostgreSQL database', () => {
  let database: TestDatabase
  const insert = `INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`
  beforeAll(async () => {
    database = await makeDatabase()
    await makeTables(database.location)
    await database.run(insert)
  })
  afterAll(() => database.remove())

  test.for([
    insert,
    'DELETE FROM apps',
    'DROP TABLE apps',
    'CREATE TABLE more (id integer)',
    `SELECT nextval('counted')`,
  ])('cannot be changed through the connections for reading: %s', async (sql) => {
    await database.run('CREATE SEQUENCE IF NOT EXISTS counted')
    const { url, location } = database
    const server = openServer('DATABASE_URL', url, location, null, () => {})
    const refused = server.ask({ name: '', text: sql, values: [] }, 1000)
    await expect(refused).rejects.toMatchObject({ code: '25006' })
    await server.close()
    expect(await database.run('SELECT id FROM apps')).toEqual([[1]])
  })

  test('a query that takes longer than it may is an outage, and the next one is answered', async () => {
    const store = await openStore({ ...database.location, timeout: 300 }, () => {})
    await database.run('BEGIN; LOCK TABLE apps')
    const locked = database.run('SELECT pg_sleep(0.7); COMMIT')
    await expect(store.findApps(['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    await locked
    await expect
      .poll(() => Promise.resolve(store.findApps(['1'])).catch(() => null))
      .toMatchObject([{ id: 1 }])
    await store.close()
  })

  test('texts that the encoding of the database lacks match nothing, and others are found', async () => {
    const latin = await makeDatabase(`ENCODING 'LATIN1' TEMPLATE template0`)
    await makeTables(latin.location)
    await latin.run(
      `INSERT INTO users VALUES (1, 'Zoë', 'zoë', 'ÿ', '', 1, 1, true, false), (2, 'b', 'b', 'b', '', 1, 1, true, false)`,
    )
    const store = await openStore(latin.location, () => {})
    const found = await store.findUsers('USERNAME', ['日本', 'b', '星', 'zoë', '日本', 'none'])
    expect(rowsOf(found).map((user) => user?.id ?? null)).toEqual([null, 2, null, 1, null, null])
    expect(await store.findUsers('CHAT', ['星'])).toEqual([null])
    await store.close()
    await latin.remove()
  })

  test('a number that JavaScript does not have is no outage, and not nearly right', async () => {
    await database.run(
      `INSERT INTO users VALUES (9007199254740993, 'far', 'far', NULL, '', 1, 1, true, false),
        (50, 'late', 'late', NULL, '', 1, 9007199254740993, true, false)`,
    )
    const store = await openStore(database.location, () => {})
    const refused = { code: 'Internal' }
    expect(await store.findUsers('USERNAME', ['far', 'none'])).toMatchObject([refused, null])
    expect(await store.findUsers('ID', ['99', '50'])).toMatchObject([null, refused])
    await store.close()
  })

  test('keeps its connections no longer than the store', async () => {
    const count = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'lookup-service' AND datname = current_database()`
    const store = await openStore(database.location, () => {})
    await store.ready()
    expect(await database.run(count)).not.toEqual([[0]])
    await store.close()
    await expect.poll(() => database.run(count)).toEqual([[0]])
  })
})
