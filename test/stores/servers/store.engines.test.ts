import { describe, expect, test } from 'vitest'
import { openPool } from '../../../src/stores/servers/pool.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { engines, lock, openDatabase, useDatabase, watchStore } from '../../kit/engines.ts'
import { storeSuite } from '../store-suite.ts'
import { layouts, makeServerStore } from './support.ts'

const insert = `INSERT INTO apps VALUES (1, 'T', '1.0.0', 1, 'https://a.example/', 'https://a.example/1/')`
/** What each engine refuses in a session that only reads, and how. */
const writes = {
  postgres: { code: '25006', others: [`SELECT nextval('counted')`] },
  mysql: { code: '1792', others: ['TRUNCATE TABLE apps'] },
} as const

describe.for(engines)('$name', (engine) => {
  for (const layout of layouts)
    storeSuite(layout, (observe) => makeServerStore(engine, engine.shared, layout, observe))

  describe('a database', () => {
    const database = useDatabase(engine, async ({ location, run }) => {
      await makeTables(location)
      await run(insert)
      if (engine.kind === 'postgres') await run('CREATE SEQUENCE counted')
    })

    const { code, others } = writes[engine.kind]
    test.for([insert, 'DROP TABLE apps', ...others])(
      'cannot be changed through the connections for reading: %s',
      async (text) => {
        const limits = { connectTimeout: 4000, statementTimeout: 4000, readOnly: true }
        const pool = openPool(1, engine.engine.errors)
        pool.use(engine.engine.readLogin(database().url, limits))
        const refused = pool.query({ name: '', text, values: [] }, (waited) => (waited === 0 ? 1000 : 0))
        const reason = await refused.catch((error: unknown) => error)
        expect(engine.engine.errors.codeOf(reason)).toBe(code)
        await pool.close()
        expect(await database().run('SELECT id FROM apps')).toEqual([[1]])
      },
    )

    test('a query that exceeds the timeout is an outage, and the next one has its response', async () => {
      const { store } = await watchStore({ ...database().location, timeout: 300 })
      const unlock = await lock(engine, database(), 'apps')
      await expect(store.findApps(['1'])).rejects.toMatchObject({ code: 'Unavailable' })
      await unlock()
      const next = () => Promise.resolve(store.findApps(['1'])).catch(() => null)
      await expect.poll(next).toMatchObject([{ id: 1 }])
    })

    test('a number that JavaScript does not have is refused: no outage, and not rounded', async () => {
      const { location } = await openDatabase(engine, async (one) => {
        await makeTables(one.location)
        await one.run(
          `INSERT INTO users VALUES (9007199254740993, 'far', 'far', NULL, '', 1, 1, true, false),
            (50, 'late', 'late', NULL, '', 1, 9007199254740993, true, false)`,
        )
      })
      const { store, of } = await watchStore(location)
      const refused = { code: 'Internal' }
      expect(await store.findUsers('USERNAME', ['far', 'none'])).toMatchObject([refused, null])
      const found = await store.findUsers('ID', ['99', '50', '9007199254740992'])
      expect(found).toMatchObject([null, refused, null])
      await store.close()
      expect(of('rows-refused')).toMatchObject([{ id: '9007199254740993' }, { id: '50' }])
    })

    test('a row that the database cannot read fails its value alone, and the log has its id', async () => {
      const joined = {
        postgres: `(CASE WHEN id = 7 THEN 'infinity'::float8 ELSE 1 END)::bigint`,
        mysql: 'CASE WHEN id = 7 THEN 9223372036854775807 + id ELSE 1 END',
      }
      const { location } = await openDatabase(engine, async (one) => {
        await makeTables(one.location)
        const ids = Array.from({ length: 20 }, (_, at) => at + 1)
        const rows = ids.map((id) => `(${id}, 'u${id}', 'u${id}', 'c${id}', '', 1, 1, true, false)`)
        await one.run(`INSERT INTO users VALUES ${rows.join()}`)
        await one.run('ALTER TABLE users RENAME TO member')
        const rank = engine.kind === 'mysql' ? '`rank`' : 'rank'
        await one.run(`CREATE VIEW users AS SELECT id, username, username_key, chat_id, display_name, ${rank},
          ${joined[engine.kind]} AS join_date, is_confirmed, banned FROM member`)
      })
      const { store, of } = await watchStore(location)
      const ids = ['3', '7', '99', '12']
      const expected = [{ id: 3 }, { code: 'Internal' }, null, { id: 12 }]
      const lookups = { ID: '', USERNAME: 'u', CHAT: 'c' } as const
      for (const by of ['ID', 'USERNAME', 'CHAT'] as const) {
        const values = ids.map((id) => `${lookups[by]}${id}`)
        expect(await store.findUsers(by, values)).toMatchObject(expected)
      }
      const reasons = of('store-failed').map((one) => ('error' in one ? String(one.error) : ''))
      expect(reasons.map((reason) => reason.replace(/ cannot be read: .+/, ''))).toEqual([
        'Error: The row with id 7',
        'Error: The row of a user',
        'Error: The row of a user',
      ])
      await store.close()
    })

    test('has no connections once the store is closed', async () => {
      const { store } = await watchStore(database().location)
      await store.ready()
      expect(await database().run(engine.words.sessions)).not.toEqual([])
      await store.close()
      await expect.poll(() => database().run(engine.words.sessions)).toEqual([])
    })
  })
})
