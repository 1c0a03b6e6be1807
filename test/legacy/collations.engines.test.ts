import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { flavours } from '../kit/mysql/programs.ts'
import { MysqlServer } from '../kit/mysql/server.ts'
import { test } from '../kit/test.ts'
import { displayNames, orderIn, writeNames } from './support/collations.ts'

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
  const { url } = await withSettings({ 'entries.users': 'displayName, no accents' }, writeNames(path))
  expect(await orderIn(url)).toEqual(rows.map(([id]) => Number(id)))
})
