import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { openServer } from '../../../src/stores/servers/server.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, lock, useDatabases } from '../../kit/engines.ts'
import { storeSuite } from '../store-suite.ts'
import { tables } from './layouts.ts'
import { makeServerStore, views } from './support.ts'

const insert = `INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`
/** What each engine refuses in a session that only reads, and how. */
const writes = {
  postgres: { code: '25006', others: [`SELECT nextval('counted')`] },
  mysql: { code: '1792', others: ['TRUNCATE TABLE apps'] },
} as const

describe.for(engines)('$name', (engine) => {
  const makeDatabase = useDatabases(engine)
  storeSuite('tables', (observe) => makeServerStore(engine, makeDatabase, tables, observe))
  storeSuite('views over other tables', (observe) =>
    makeServerStore(engine, makeDatabase, views[engine.kind], observe),
  )

  describe('a database', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await makeDatabase()
      await makeTables(database.location)
      await database.run(insert)
      if (engine.kind === 'postgres') await database.run('CREATE SEQUENCE counted')
    })
    afterAll(() => database.remove())

    const { code, others } = writes[engine.kind]
    test.for([insert, 'DELETE FROM apps', 'DROP TABLE apps', 'CREATE TABLE more (id integer)', ...others])(
      'cannot be changed through the connections for reading: %s',
      async (text) => {
        const { url, location } = database
        const server = openServer(engine.engine, 'DATABASE_URL', url, location, null, () => {})
        const question = { name: '', text, values: [] }
        const refused = server.ask({ question, callers: [], patience: 1000, mayLeave: () => false })
        const reason = await refused.catch((error: unknown) => error)
        expect(engine.engine.errors.codeOf(reason)).toBe(code)
        await server.close()
        expect(await database.run('SELECT id FROM apps')).toEqual([[1]])
      },
    )

    test('a query that takes longer than it may is an outage, and the next one is answered', async () => {
      const store = await openStore({ ...database.location, timeout: 300 }, () => {})
      const unlock = await lock(engine, database, 'apps')
      await expect(store.findApps(['1'])).rejects.toMatchObject({ code: 'Unavailable' })
      await unlock()
      await expect
        .poll(() => Promise.resolve(store.findApps(['1'])).catch(() => null))
        .toMatchObject([{ id: 1 }])
      await store.close()
    })

    test('a number that JavaScript does not have is no outage, and not nearly right', async () => {
      await database.run(
        `INSERT INTO users VALUES (9007199254740993, 'far', 'far', NULL, '', 1, 1, true, false),
          (50, 'late', 'late', NULL, '', 1, 9007199254740993, true, false)`,
      )
      const seen: Observation[] = []
      const store = await openStore(database.location, (one) => seen.push(one))
      const refused = { code: 'Internal' }
      expect(await store.findUsers('USERNAME', ['far', 'none'])).toMatchObject([refused, null])
      expect(await store.findUsers('ID', ['99', '50', '9007199254740992'])).toMatchObject([
        null,
        refused,
        null,
      ])
      await store.close()
      expect(seen.filter(({ type }) => type === 'rows-refused')).toMatchObject([{ id: '9007199254740993' }])
    })

    test('keeps its connections no longer than the store', async () => {
      const store = await openStore(database.location, () => {})
      await store.ready()
      expect(await database.run(engine.words.sessions)).not.toEqual([])
      await store.close()
      await expect.poll(() => database.run(engine.words.sessions)).toEqual([])
    })
  })
})
