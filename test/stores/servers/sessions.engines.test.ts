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

describe.for(engines)('$name', (engine) => {
  const database = useDatabase(engine, fillSample)

  test('sessions that are ended again and again fail no query, on a lone server too', async () => {
    const { store } = await watchStore(database().location)
    let isOver = false
    async function askOn(): Promise<void> {
      while (!isOver) expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
    }
    const asking = Promise.all(Array.from({ length: 8 }, askOn))
    for (let time = 0; time < 20; time++) {
      await pause(30)
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
