// schema/views.example.sql, as an operator would use it.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usernameKey } from '../../../src/model.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { statements } from '../../../src/stores/postgres/statements.ts'
import type { Store } from '../../../src/stores/store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { locate, makeDatabase } from '../../kit/postgres/database.ts'
import { viewsExampleSuite } from '../servers/views-example-suite.ts'

const example = readFileSync(new URL('../../../schema/views.example.sql', import.meta.url), 'utf8')
const searchPath = '?options=-c%20search_path%3Dlookup'
let database: TestDatabase
let store: Store

beforeAll(async () => {
  database = await makeDatabase()
  await database.run(example)
  await database.run(`
    INSERT INTO forum.members SELECT id, 'Member ' || id, id % 9, '2012-01-31 10:00Z' FROM generate_series(100, 100000) AS id;
    INSERT INTO forum.profiles SELECT member_id, 'Shown ' || member_id FROM forum.members WHERE member_id % 2 = 0;
    INSERT INTO forum.chat_accounts SELECT member_id, 'chat#' || member_id FROM forum.members WHERE member_id % 3 > 0;
    INSERT INTO forum.bans SELECT member_id, CASE WHEN member_id % 2 = 0 THEN now() END FROM forum.members WHERE member_id % 20 < 2;
    INSERT INTO forum.releases SELECT id, 'App ' || id, 1, 20, id, 5 FROM generate_series(1, 10000) AS id;
    INSERT INTO forum.members VALUES (7, 'İﬀ Ὀδυσσεύς', 1, '1970-01-01 00:00:01Z', now());
    ANALYZE`)
  // As the comment at its head says.
  await database.run(`
    DROP ROLE IF EXISTS lookup_reader;
    CREATE ROLE lookup_reader LOGIN; GRANT USAGE ON SCHEMA lookup TO lookup_reader;
    GRANT SELECT ON lookup.users, lookup.apps TO lookup_reader`)
  const url = `${database.url.replace('postgres@', 'lookup_reader@')}${searchPath}`
  store = await openStore(locate(url), () => {})
})
afterAll(async () => {
  await store.close()
  await database.run('DROP OWNED BY lookup_reader; DROP ROLE lookup_reader')
  await database.remove()
})

viewsExampleSuite({
  store: () => store,
  rank: 2,
  odd: {
    id: 7,
    username: 'İﬀ Ὀδυσσεύς',
    displayName: '',
    rank: 1,
    joinDate: 1,
    isConfirmed: true,
    banned: false,
  },
  oddKey: usernameKey('İFF ὈΔΥΣΣΕΎΣ'),
  app: {
    id: 4,
    title: 'App 4',
    version: '1.20.4',
    category: 5,
    changelogLink: 'https://shop.example/releases/4/changelog',
    downloadLink: 'https://shop.example/download/4/',
  },
  objects: () =>
    database.run(`SELECT table_schema, table_name, table_type FROM information_schema.tables
      WHERE table_schema IN ('forum', 'lookup', 'public') ORDER BY 1, 2`),
  runAgain: async () => {
    await database.run(example)
    await makeTables(locate(database.url + searchPath))
  },
})

describe.for(Object.entries(statements))('%s', ([, { text }]) => {
  test.for([1, 2, 100])('is an index scan for %i values', async (count) => {
    const values = Array.from({ length: count }, (_, index) => 200 + index).join()
    // As a prepared statement is planned at first, and after some uses.
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const plan = await database.run(`
        SET search_path = lookup; SET plan_cache_mode = ${mode}; DEALLOCATE ALL;
        PREPARE lookup AS ${text};
        EXPLAIN (FORMAT TEXT) EXECUTE lookup('{${values}}')`)
      const lines = plan.flat().join('\n')
      expect(lines).toMatch(/Index (?:Only )?Scan|Bitmap Index Scan/)
      expect(lines).not.toContain('Seq Scan')
    }
  })
})
