// The order of display names without accents, of a gateway and of a database. dialects.peers.test.ts compares
// the other orders.

import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { writeRows } from '../differential/rows.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { seedOf } from '../kit/generate.ts'
import { flavours } from '../kit/mysql/programs.ts'
import { MysqlServer } from '../kit/mysql/server.ts'
import { test } from '../kit/test.ts'
import { ask } from './support/ask.ts'
import { ID } from './support/rows.ts'

const letters = fc.constantFrom(...('aAbBzZ_019 -.éÉüÜßøØñÇçÇàж花😀ﬁ｡å\tSИй'.match(/./gu) ?? []))
/** Names in the order of their ids, from 1 on. */
const displayNames = fc.sample(fc.string({ unit: letters, maxLength: 4 }), {
  seed: seedOf('legacy/collations'),
  numRuns: 300,
})
const users = displayNames.map((displayName, at) => ({
  ...{ id: at + 1, username: `user ${at}`, chatId: null, displayName },
  ...{ rank: 1, joinDate: 1, isConfirmed: true, banned: false },
}))

test.for(flavours)('the order without accents is that of %s', async (flavour, { withSettings }) => {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const server = await MysqlServer.start(flavour)
  onTestFinished(() => server.remove())
  const database = await server.makeDatabase()
  await database.run(
    'CREATE TABLE names (id int, name varchar(20)) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
  )
  await database.run('INSERT INTO names VALUES ?', [displayNames.map((name, at) => [at + 1, name])])
  const rows = await database.run('SELECT id FROM names ORDER BY name, id')
  const files = { users: writeRows(path, { users, apps: [] }).users }
  const { url } = await withSettings({ 'entries.users': 'displayName, no accents' }, files)
  const list = users.map(({ id }) => id).join(':')
  const { body } = await ask(url, `/?${ID}${list}&Format=XML`)
  const order = [...body.matchAll(/<Id>(\d+)</g)].map(([, id]) => Number(id))
  expect(order).toEqual(rows.map(([id]) => Number(id)))
})
