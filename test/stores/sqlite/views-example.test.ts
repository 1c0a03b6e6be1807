// schema/views.example.sqlite.sql, as an operator would use it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Store } from '../../../src/stores/store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { change, query } from './support.ts'

const example = readFileSync(new URL('../../../schema/views.example.sqlite.sql', import.meta.url), 'utf8')
const folder = temporaryFolder()
const path = join(folder.path, 'forum.db')
let store: Store

beforeAll(async () => {
  change(path, example)
  change(
    path,
    `INSERT INTO forum_members (member_no, login, chat_handle, joined_at, state) VALUES
       (7, 'Ada', 'ada#1', '2012-01-31 10:00:00', 'banned'), (8, 'Bob', NULL, '1970-01-01 00:00:01', 'active');
     UPDATE forum_members SET shown_as = 'Bobby', level = 3, confirmed_at = '2012-02-01' WHERE member_no = 8;
     INSERT INTO shop_releases VALUES (4, 'Almanac', 1, 20, 3, 5)`,
  )
  store = await openStore({ kind: 'sqlite', path }, () => {})
})
afterAll(async () => {
  await store.close()
  folder.remove()
})

test('shows the users and apps of other tables', async () => {
  const ada = {
    id: 7,
    username: 'Ada',
    displayName: '',
    rank: 0,
    joinDate: 1328004000,
    isConfirmed: false,
    banned: true,
  }
  const bob = {
    id: 8,
    username: 'Bob',
    displayName: 'Bobby',
    rank: 3,
    joinDate: 1,
    isConfirmed: true,
    banned: false,
  }
  expect(await store.findUsers('ID', ['8', '7', '9'])).toEqual([bob, ada, null])
  expect(await store.findUsers('USERNAME', ['ada', 'Ada'])).toEqual([ada, null])
  expect(await store.findUsers('CHAT', ['ada#1', ''])).toEqual([ada, null])
  expect(await store.findApps(['4', '5'])).toEqual([
    {
      id: 4,
      title: 'Almanac',
      version: '1.20.3',
      category: 5,
      changelogLink: 'https://shop.example/releases/4/changelog',
      downloadLink: 'https://shop.example/download/4/',
    },
    null,
  ])
})

test('can be run twice, and migrate leaves it alone', async () => {
  const objects = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name'
  const before = query(path, objects)
  change(path, example)
  await makeTables({ kind: 'sqlite', path })
  expect(query(path, objects)).toEqual(before)
})

// A view that cannot be searched is made anew for every lookup, which takes seconds where there are many
// rows.
test.for([
  ['users', 'id'],
  ['users', 'username_key'],
  ['users', 'chat_id'],
  ['apps', 'id'],
])('%s is searched by %s, not read through', ([relation, key]) => {
  const lookup = `SELECT found.* FROM json_each('["x"]') AS asked LEFT JOIN ${relation} AS found ON found.${key} = asked.value`
  const plan = query(path, `EXPLAIN QUERY PLAN ${lookup}`).map((row) => String(row[3]))
  expect(plan[0]).toMatch(/^SCAN asked /)
  expect(plan.slice(1)).toEqual([expect.stringMatching(/^SEARCH (?:forum_members|shop_releases) USING /)])
})
