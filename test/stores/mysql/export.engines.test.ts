import { describe, expect, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { makeTables, openExport, openImporter } from '../../../src/stores/transfer.ts'
import { openDatabase, useDatabase } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { runLookup } from '../../kit/run-lookup.ts'
import { importInto, range, user } from '../import-data.ts'

/** More bytes than the system and the driver read ahead. */
const [ROWS, SHOWN] = [20_000, 'x'.repeat(1000)]

describe.for(flavours)('an export from %s', (flavour) => {
  const database = useDatabase(mysqlEngine(flavour), async ({ location }) => {
    await makeTables(location)
    const rows = range(1, ROWS).map((id) => user(id).with(3, SHOWN))
    await importInto(await openImporter(location, users, true), rows)
  })
  async function* read() {
    yield* openExport(database().location, users)
  }
  const begin = async () => {
    const rows = read()
    return { rows, first: (await rows.next()).value?.[0] }
  }
  async function idsOf(rows: AsyncIterator<readonly unknown[]>): Promise<unknown[]> {
    const ids: unknown[] = []
    for (let row = await rows.next(); !row.done; row = await rows.next()) ids.push(row.value[0])
    return ids
  }

  test('has the rows in the order of the ids, as they were when it began', async () => {
    const { rows, first } = await begin()
    await database().run(`INSERT INTO users SELECT 30000, 'late', 'late', 'late', '', 1, 1, 1, 1`)
    expect([first, ...(await idsOf(rows))]).toEqual(range(1, ROWS))
    await database().run('DELETE FROM users WHERE id = 30000')
  })

  test('fails if it loses its connection', async () => {
    const { rows } = await begin()
    const reading = `SELECT id FROM information_schema.processlist WHERE db = database() AND info LIKE 'SELECT \`id\`%'`
    const [[session] = []] = await database().run(reading)
    await database().run(`KILL ${session}`)
    await expect(idsOf(rows)).rejects.toThrow()
  })

  test('of a view has numbers and times as the server has them', async () => {
    const { url } = await openDatabase(mysqlEngine(flavour), ({ run }) =>
      run(
        `CREATE VIEW users AS SELECT 9007199254740993 AS id, 'Zoë' AS username, x'c3a9' AS username_key,
           x'c3a9' AS chat_id, 'x  ' AS display_name, CAST('2012-01-31 07:00:00' AS datetime) AS \`rank\`,
           -9007199254740993 AS join_date, b'1' = 1 AS is_confirmed, 0 AS banned`,
      ),
    )
    expect(await runLookup(['export', 'users', '--database', url], { cwd: '/' })).toEqual({
      status: 0,
      stdout:
        '{"id":"9007199254740993","username":"Zoë","chatId":"é","displayName":"x  ","rank":"2012-01-31 07:00:00",' +
        '"joinDate":"-9007199254740993","isConfirmed":true,"banned":false}\n',
      stderr: '',
    })
  })
})
