// A password in a file: the login follows it.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../../src/observation.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { endSessions, forumOf, makeForum } from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { locate } from '../../kit/mysql/database.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  const engine = mysqlEngine(flavour)
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour)
    await makeForum(engine, server)
  })
  afterAll(() => server.remove())

  test('a password that is replaced in its file is used for the next connections', async () => {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    const file = join(folder.path, 'password')
    const change = (password: string) =>
      server.run(`CREATE USER IF NOT EXISTS changing; ALTER USER changing IDENTIFIED BY '${password}';
        GRANT SELECT ON forum.* TO changing`)
    writeFileSync(file, 'first')
    await change('first')
    const files = { url: null, password: file }
    const location = {
      ...locate(server.url('forum', 'changing', 'first')),
      files: { DATABASE_URL: files, DATABASE_REPLICA_URLS: files },
    }
    const seen: Observation[] = []
    const store = await openStore(location, (one) => seen.push(one))
    onTestFinished(() => store.close())
    const ask = async () => expect(await store.findUsers('ID', ['1'])).toHaveLength(1)
    const end = () => endSessions(engine, forumOf(engine, server))
    await ask()
    // The file is ahead of the server, and then the server has it, too.
    writeFileSync(file, 'second')
    await end()
    await ask()
    await change('second')
    await end()
    await ask()
    expect(seen.filter(({ type }) => type === 'store-failed')).toEqual([])
  })
})
