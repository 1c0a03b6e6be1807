// A password in a file: the login follows it.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endSessions, fillSample, openDatabase, watchStore } from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { locate } from '../../kit/mysql/server.ts'

test.for(flavours)('%s: a password that is replaced in its file logs in new connections', async (flavour) => {
  const engine = mysqlEngine(flavour)
  const database = await openDatabase(engine, fillSample)
  const { name, run } = database
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'password')
  const change = (password: string) =>
    run(`CREATE USER IF NOT EXISTS ${name}; ALTER USER ${name} IDENTIFIED BY '${password}';
      GRANT SELECT ON ${name}.* TO ${name}`)
  writeFileSync(file, 'first')
  await change('first')
  const files = { url: null, password: file }
  const url = (await engine.shared()).url(name, name, 'first')
  const location = { ...locate(url), files: { DATABASE_URL: files, DATABASE_REPLICA_URLS: files } }
  const { store, of } = await watchStore(location)
  const ask = async () => expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
  await ask()
  // The file is ahead of the server, and then the server has the password, too.
  writeFileSync(file, 'second')
  await endSessions(engine, database)
  await ask()
  await change('second')
  await endSessions(engine, database)
  await ask()
  expect(of('store-failed')).toEqual([])
})
