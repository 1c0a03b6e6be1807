import { describe, expect, test } from 'vitest'
import { errors } from '../../../src/stores/mysql/errors.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import type { Database } from '../../kit/engine.ts'
import { openDatabase, useServer } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { type Row, range, user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'
import { importUsers, useImportTarget } from '../servers/import-target.ts'

const named = (id: number, name: string) => user(id).map((cell) => (cell === `Name ${id}` ? name : cell))
const long = named(5000, 'x'.repeat(100_000))
/** Three bytes for each UTF-16 unit. */
const wide = (id: number) => named(id, '\u540d'.repeat(250))

const put = (database: Pick<Database, 'location'>, rows: readonly Row[], replace = false) =>
  importUsers(database, rows, replace)

describe.for(flavours)('%s', (flavour) => {
  importSuite('as it is by default', useImportTarget(mysqlEngine(flavour)))

  describe('a server that has statements in its log', () => {
    const flags = ['--log-bin=log', '--server-id=1', '--binlog-format=STATEMENT']
    const server = useServer(() => MysqlServer.start(flavour, flags))
    const open = () => openDatabase({ shared: async () => server() })
    importSuite('imports', useImportTarget({ shared: async () => server() }))

    test('takes statements of many rows, and refuses a row that is longer than its statements', async () => {
      await server().run('SET GLOBAL max_allowed_packet = 65536')
      const database = await open()
      await makeTables(database.location)
      // As it was before display names had a limit.
      await database.run('ALTER TABLE users MODIFY display_name mediumtext NOT NULL')
      await put(
        database,
        range(1, 3000).map((id) => (id % 2 === 0 ? user(id) : wide(id))),
      )
      await expect(put(database, [user(1), long], true)).rejects.toThrow(/max_allowed_packet/)
      expect(await database.run('SELECT count(*), max(id) FROM users')).toEqual([[3000, 3000]])
      await server().run('SET GLOBAL max_allowed_packet = 1048576')
    })

    test('one that is read only is not written to, though a superuser could', async () => {
      const database = await open()
      await server().run('SET GLOBAL read_only = ON')
      await expect(put(database, [])).rejects.toThrow('read only (read_only = ON)')
      await server().run('SET GLOBAL read_only = OFF')
    })
  })

  describe('a server that demands primary keys, and transactions that replicas can follow', () => {
    const demands = {
      mariadb: ['--gtid-strict-mode=ON', '--innodb-force-primary-key=ON'],
      mysql: ['--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--sql-require-primary-key=ON'],
    }
    const format = flavour === 'mysql' ? 'STATEMENT' : 'MIXED'
    const flags = ['--log-bin=log', '--server-id=1', `--binlog-format=${format}`, ...demands[flavour]]
    const server = useServer(() => MysqlServer.start(flavour, flags))

    test('is filled, and rows that clash are named', async () => {
      const database = await openDatabase({ shared: async () => server() })
      const reason = 'another user has this id'
      for (const replace of [false, true])
        expect(await put(database, [user(1), user(1), user(2)], replace)).toMatchObject({
          complaints: [null, reason, null],
        })
      expect(await put(database, [user(3), user(2)])).toMatchObject({ complaints: [null, reason] })
      expect(await database.run('SELECT count(*) FROM users')).toEqual([[3]])
    })
  })

  describe('a server with a full disk', () => {
    const space = '--innodb-data-file-path=ibdata1:12M:autoextend:max:24M'
    const flags = ['--local-infile=ON', '--innodb-file-per-table=OFF', space]
    const server = useServer(() => MysqlServer.start(flavour, flags))

    test('names the reason, and keeps no row', async () => {
      const { location, run } = await openDatabase({ shared: async () => server() })
      const rows = range(1, 100_000).map((id) => user(id))
      const error = await put({ location }, rows).catch((reason: unknown) => reason)
      expect(errors.describeError(error)).toMatch(/is full\. Free disk space on the server\.$/)
      expect(await run('SELECT count(*) FROM users')).toEqual([[0]])
    })
  })
})
