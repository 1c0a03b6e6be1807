// Sessions that end, and tables that change under them: no query fails.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { endSessions, engines, fillSample, useDatabase, watchStore } from '../../kit/engines.ts'

/** SQL that changes the type of a column, and puts a view in the place of the table. */
const changes = {
  postgres: [
    'ALTER TABLE users ALTER COLUMN rank TYPE bigint',
    `BEGIN; ALTER TABLE users RENAME TO kept;
     CREATE VIEW users AS SELECT id, username, username_key, chat_id, display_name,
       (rank + 1)::smallint AS rank, join_date, is_confirmed, banned FROM kept; COMMIT`,
  ],
  mysql: [
    'ALTER TABLE users MODIFY `rank` bigint NOT NULL',
    `RENAME TABLE users TO kept;
     CREATE VIEW users AS SELECT id, username, username_key, chat_id, display_name, \`rank\` + 1 AS \`rank\`,
       join_date, is_confirmed, banned FROM kept`,
  ],
} as const

/** SQL that makes a column unreadable for lookups, the reason in the log, and SQL that undoes it. */
const spoil = {
  postgres: [
    'ALTER TABLE users ALTER COLUMN rank TYPE numeric',
    /^users\.rank is of type numeric, and must be bigint, integer or smallint\. .*search_path/,
    'ALTER TABLE users ALTER COLUMN rank TYPE bigint',
  ],
  mysql: [
    'ALTER TABLE users MODIFY `rank` decimal(20) NOT NULL',
    /^users\.rank is of type decimal, and must be an integer.*\. Correct the view or table\. .*name that one in the URL/,
    'ALTER TABLE users MODIFY `rank` bigint NOT NULL',
  ],
} as const

describe.for(engines)('$name', (engine) => {
  const database = useDatabase(engine, fillSample)

  test('a column that becomes another type makes the gateway unready until it is back', async () => {
    const [change, reason, undo] = spoil[engine.kind]
    const { store, of } = await watchStore(database().location)
    await store.ready()
    await database().run(change)
    await expect
      .poll(() => of('server-out'), { timeout: 5000 })
      .toMatchObject([{ reason: expect.stringMatching(reason) }])
    await expect(store.ready()).rejects.toMatchObject({ code: 'Unavailable' })
    // Lookups of the other table are answered.
    expect(await store.findApps(['1'])).toHaveLength(1)
    await database().run(undo)
    await expect.poll(() => of('server-back'), { timeout: 5000 }).toHaveLength(1)
    await store.ready()
  })

  test('sessions that are ended again and again fail no query, on a lone server too', async () => {
    const { store } = await watchStore(database().location)
    const clients = 8
    let isOver = false
    let answered = 0
    async function askOn(): Promise<void> {
      while (!isOver) {
        expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
        answered++
      }
    }
    const asking = Promise.all(Array.from({ length: clients }, askOn))
    for (let time = 0; time < 20; time++) {
      const before = answered
      await pause(30)
      // A query is sent five times at most: on a busy machine, all five could be ended.
      await Promise.race([asking, expect.poll(() => answered - before).toBeGreaterThan(clients)])
      await endSessions(engine, database())
    }
    isOver = true
    await asking
  })

  test('a table or view that is exchanged is read as it is now', async () => {
    const { store } = await watchStore(database().location)
    const [retype, exchange] = changes[engine.kind]
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ rank: 9 }])
    await database().run(retype)
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ rank: 9 }])
    await database().run(exchange)
    expect(await store.findUsers('ID', ['1'])).toMatchObject([{ rank: 10 }])
  })
})
