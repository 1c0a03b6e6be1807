// A view cannot promise that a key is unique; a request for it must not move another one's answer.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { temporaryFolder } from '../../kit/gateway.ts'

const folder = temporaryFolder()
let store: Store
beforeAll(async () => {
  const path = join(folder.path, 'twins.db')
  const database = new DatabaseSync(path)
  database.exec(`
    CREATE TABLE members (id INTEGER PRIMARY KEY, login TEXT);
    INSERT INTO members VALUES (1, 'Bob'), (2, 'bob'), (3, 'carol'), (4, NULL);
    CREATE VIEW users AS SELECT id, login AS username, lower(login) AS username_key, 'same' AS chat_id,
      login AS display_name, 0 AS rank, 0 AS join_date, 1 AS is_confirmed, 0 AS banned FROM members;
    CREATE VIEW apps AS SELECT 1 AS id, 't' AS title, '1.0.0' AS version, 1 AS category,
      'https://a.example/' AS changelog_link, 'https://a.example/1/' AS download_link;
  `)
  database.close()
  store = await openStore({ kind: 'sqlite', path }, () => {})
})
afterAll(async () => {
  await store.close()
  folder.remove()
})

test('a key that is there twice is answered once, and the others keep their places', async () => {
  const found = await store.findUsers('USERNAME', ['carol', 'bob', 'nobody', 'carol'])
  expect(rowsOf(found).map((user) => user?.username.toLowerCase() ?? null)).toEqual([
    'carol',
    'bob',
    null,
    'carol',
  ])
  expect(await store.findUsers('CHAT', ['same'])).toHaveLength(1)
})

test('a name that is NULL is an empty text', async () => {
  expect(await store.findUsers('ID', ['4'])).toMatchObject([{ id: 4, username: '', displayName: '' }])
})
