// The rights that commands need, and servers that only read.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { openDatabase, useServer } from '../../kit/engines.ts'
import { sample, temporaryFolder } from '../../kit/gateway.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { type Flavour, flavours } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { runLookup } from '../../kit/run-lookup.ts'

const importing = ['import', 'users', sample.users]
const replacing = [...importing, '--replace']

async function run(args: readonly string[], url: string) {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  return runLookup(args, { cwd: folder.path, env: { DATABASE_URL: url } })
}
const fails = (stderr: RegExp) => ({ status: 1, stderr: expect.stringMatching(stderr) })

describe.for(flavours)('%s', (flavour: Flavour) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase(mysqlEngine(flavour))
  })
  /** A user with rights on the database, or on one table of it. */
  async function makeUser(kind: string, rights: string, table = '*'): Promise<string> {
    const { name, url, run: runSql } = database
    await runSql(`CREATE USER ${name}_${kind}; GRANT ${rights} ON ${name}.${table} TO ${name}_${kind}`)
    return url.replace('root@', `${name}_${kind}@`)
  }
  const denied = fails(
    /command denied .* To import, grant the user SELECT, INSERT and CREATE TEMPORARY TABLES, DELETE for/,
  )

  test('a user that lacks rights gets those that the command needs', async () => {
    const writer = await makeUser('writer', 'SELECT, INSERT, CREATE TEMPORARY TABLES')
    const reader = await makeUser('reader', 'SELECT')
    const maker = await makeUser('maker', 'SELECT, INSERT, DELETE, CREATE, CREATE TEMPORARY TABLES')
    // There is no table yet.
    for (const args of [importing, ['migrate']]) expect(await run(args, writer)).toMatchObject(denied)
    expect(await run(['export', 'users'], reader)).toMatchObject(
      fails(/doesn't exist\. Run "lookup migrate"/),
    )
    expect(await run(replacing, maker)).toMatchObject({ status: 0 })
    await database.run('DELETE FROM users')
    expect(await run(replacing, writer)).toMatchObject(denied)
    expect(await run(importing, reader)).toMatchObject(
      fails(/may not create temporary tables\. Grant CREATE TEMPORARY TABLES on the database\.\n$/),
    )
    expect(await run(importing, writer)).toMatchObject({ status: 0 })
    expect(await run(['export', 'users'], reader)).toMatchObject({ status: 0, stderr: '' })
  })

  test('rights on the table, and to create temporary tables, are enough for an import', async () => {
    await makeTables(database.location)
    const narrow = await makeUser('narrow', 'SELECT, INSERT, DELETE', 'users')
    await database.run(`GRANT CREATE TEMPORARY TABLES ON ${database.name}.* TO ${database.name}_narrow`)
    expect(await run(replacing, narrow)).toMatchObject({ status: 0 })
    expect(await run(['migrate'], narrow)).toMatchObject(denied)
  })
})

describe.for(flavours)('%s that is read only', (flavour) => {
  const server = useServer(
    () => MysqlServer.start(flavour),
    async (one) => {
      await one.run('CREATE DATABASE filled; CREATE DATABASE vacant; CREATE USER maker')
      await one.run('GRANT SELECT, INSERT, DELETE, CREATE ON *.* TO maker')
      await makeTables(one.locate(one.url('filled')))
      await one.run('SET GLOBAL read_only = ON')
    },
  )

  // A superuser could write there.
  test.for([
    ['migrate', 'vacant', 'maker'],
    ['import', 'filled', 'root'],
  ] as const)('%s into the database %s, by %s, names the setting', async ([command, name, user]) => {
    const outcome = await run(command === 'import' ? importing : [command], server().url(name, user))
    expect(outcome).toMatchObject(
      fails(/cannot be used: .*read.only.*\. Name the primary in DATABASE_URL\.\n$/),
    )
  })
})
