import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { makeTables, openExport, openImporter } from '../../../src/stores/transfer.ts'
import type { TestDatabase } from '../../kit/engine.ts'
import { openDatabase } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { outcomeOf, runLookup, startLookup } from '../../kit/run-lookup.ts'
import { range, user } from '../import-data.ts'

/** More bytes than the system keeps between two processes. */
const [ROWS, SHOWN] = [10_000, 'x'.repeat(5000)]

describe.for(flavours)('an export from %s', (flavour) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await openDatabase(mysqlEngine(flavour), ({ location }) => makeTables(location))
  })

  async function fillTable(): Promise<void> {
    const importer = await openImporter(database.location, users, { bulk: true, replace: true })
    for (const id of range(1, ROWS))
      await importer.add([user(id).map((cell) => (cell === `Name ${id}` ? SHOWN : cell))])
    await importer.commit()
    await importer.close()
  }
  const args = () => ['export', 'users', '--database', database.url]
  const place = { cwd: '/' }

  test('has the rows in the order of the ids, as they were when it began', async () => {
    await fillTable()
    const ids: unknown[] = []
    for await (const [id] of openExport(database.location, users)) {
      if (ids.length === 0) await database.run('DELETE FROM users WHERE id > 10')
      ids.push(id)
    }
    expect(ids).toEqual(range(1, ROWS))
  })

  test('of a view has numbers and times as the server has them', async () => {
    await database.run(
      `DROP TABLE users; CREATE VIEW users AS SELECT 9007199254740993 AS id, 'Zoë' AS username, x'c3a9' AS username_key,
         x'c3a9' AS chat_id, 'x  ' AS display_name, CAST('2012-01-31 07:00:00' AS datetime) AS \`rank\`,
         -9007199254740993 AS join_date, b'1' = 1 AS is_confirmed, 0 AS banned`,
    )
    expect(await runLookup(args(), place)).toEqual({
      status: 0,
      stdout:
        '{"id":"9007199254740993","username":"Zoë","chatId":"é","displayName":"x  ","rank":"2012-01-31 07:00:00",' +
        '"joinDate":"-9007199254740993","isConfirmed":true,"banned":false}\n',
      stderr: '',
    })
  })

  test('waits for a reader that takes its time', async () => {
    await fillTable()
    await database.run('SET GLOBAL net_write_timeout = 1')
    const child = startLookup(args(), place)
    await once(child.stdout, 'readable')
    await database.run('SET GLOBAL net_write_timeout = DEFAULT')
    await sleep(2500)
    const { status, stdout, stderr } = await outcomeOf(child)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toHaveLength(ROWS)
  })

  test('that loses its connection says so', async () => {
    await fillTable()
    const child = startLookup(args(), place)
    await once(child.stdout, 'readable')
    const sessions = `SELECT id FROM information_schema.processlist WHERE db = database() AND info LIKE 'SELECT \`id\`%'`
    const [[session] = []] = await database.run(sessions)
    await database.run(`KILL ${session}`)
    const { status, stderr } = await outcomeOf(child)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The database of DATABASE_URL \(.*\) cannot be used: .*\n$/)
  })
})
