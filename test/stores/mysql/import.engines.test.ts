import { describe, expect, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import type { ImportOptions, Row } from '../../../src/stores/importer.ts'
import { errors } from '../../../src/stores/mysql/errors.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import type { Database } from '../../kit/engine.ts'
import { openDatabase, useServer } from '../../kit/engines.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { range, user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'
import { importUsers, useImportTarget } from '../servers/import-target.ts'

const bulk = { bulk: true, replace: false } as const
const long = user(5000).map((cell) => (cell === 'Name 5000' ? 'x'.repeat(100_000) : cell))

const put = (database: Database, rows: readonly Row[], options: ImportOptions = bulk) =>
  importUsers(database, rows, options)

describe.for(flavours)('%s', (flavour) => {
  importSuite('by LOAD DATA', useImportTarget(mysqlEngine(flavour)))

  describe('a server that forbids LOAD DATA LOCAL, and has statements in its log', () => {
    const flags = ['--local-infile=OFF', '--log-bin=log', '--server-id=1', '--binlog-format=STATEMENT']
    const server = useServer(() => MysqlServer.start(flavour, flags))
    const open = () => openDatabase({ shared: async () => server() })
    importSuite('by INSERT', useImportTarget({ shared: async () => server() }))

    test('the operator learns that LOAD DATA LOCAL would be faster', async () => {
      const warning =
        'Rows were imported by INSERT, since the server has local_infile = OFF. LOAD DATA LOCAL would be faster.'
      expect(await put(await open(), [user(1)])).toMatchObject({ warning })
      await server().run('SET GLOBAL local_infile = ON')
      expect(
        await put(
          await open(),
          range(1, 100).map((id) => user(id)),
        ),
      ).toMatchObject({ warning: null })
    })

    test('with short statements, LOAD DATA takes long rows, and INSERT names them', async () => {
      await server().run('SET GLOBAL max_allowed_packet = 65536, local_infile = ON')
      // As they were before display names had a limit.
      const openWide = async () => {
        const database = await open()
        await makeTables(database.location)
        await database.run('ALTER TABLE users MODIFY display_name mediumtext NOT NULL')
        return database
      }
      const loaded = await openWide()
      await put(loaded, [user(1), long])
      expect(await loaded.run('SELECT length(display_name) FROM users')).toEqual([[6], [100_000]])
      await server().run('SET GLOBAL local_infile = OFF')
      const database = await openWide()
      const rows = [...range(1, 3000).map((id) => user(id)), user(4000)]
      await put(database, rows)
      const { refused } = await put(database, [...rows, long, user(6000)], { bulk: false, replace: true })
      const reason = 'longer than max_allowed_packet of the server (65536 bytes)'
      expect(refused).toEqual([{ index: 3001, reason }])
      expect(await database.run('SELECT count(*), max(id) FROM users')).toEqual([[3002, 6000]])
      await server().run('SET GLOBAL max_allowed_packet = 1048576')
    })

    test('one that is read only is not written to, though a superuser could', async () => {
      const database = await open()
      await server().run('SET GLOBAL read_only = ON')
      await expect(put(database, [])).rejects.toThrow('read only (read_only = ON)')
      await server().run('SET GLOBAL read_only = OFF')
    })
  })

  describe('a server with a full disk', () => {
    const space = '--innodb-data-file-path=ibdata1:12M:autoextend:max:24M'
    const flags = ['--local-infile=ON', '--innodb-file-per-table=OFF', space]
    const server = useServer(() => MysqlServer.start(flavour, flags))

    test('names the reason, and keeps no row', async () => {
      const { location, run } = await openDatabase({ shared: async () => server() })
      const importer = await openImporter(location, users, bulk)
      const adding = async () => {
        for (let id = 1; id < 1_000_000; id += 1000)
          await importer.add(range(id, id + 999).map((one) => user(one)))
      }
      const error = await adding().catch((reason: unknown) => reason)
      expect(errors.describeError(error)).toMatch(/is full\. Free disk space on the server\.$/)
      await importer.close()
      expect(await run('SELECT count(*) FROM users')).toEqual([[0]])
    })
  })
})
