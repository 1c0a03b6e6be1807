import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import type { ImportOptions } from '../../../src/stores/importer.ts'
import { errors } from '../../../src/stores/mysql/errors.ts'
import { makeTables, openImporter } from '../../../src/stores/transfer.ts'
import { makeDatabase, type TestDatabase } from '../../kit/mysql/database.ts'
import { flavours, hasServer, nameOf, pristineFolder } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'
import { range, user } from '../import-data.ts'
import { importSuite } from '../import-suite.ts'
import { oddFlags } from './odd-settings.ts'

/** Keys are kept as bytes. */
const readable = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) => row.map((value) => (value instanceof Buffer ? value.toString() : value)))

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  describe.for([
    ['by LOAD DATA', ['--local-infile=ON'], false],
    ['by LOAD DATA, with settings as odd as can be', ['--local-infile=ON', ...oddFlags[flavour]], true],
    ['by INSERT', ['--local-infile=OFF'], false],
  ] as const)('%s', ([how, flags, foldsNames]) => {
    let server: MysqlServer
    beforeAll(async () => {
      server = await MysqlServer.start(flavour, flags, pristineFolder(flavour, foldsNames))
      // Errors are read.
      await server.run(`SET GLOBAL lc_messages = 'de_DE'`)
    })
    afterAll(() => server.remove())

    importSuite(`${nameOf[flavour]} ${how}`, async () => {
      const database = await makeDatabase(server)
      await makeTables(database.location)
      return {
        begin: (relation, options) => openImporter(database.location, relation, options),
        rows: async ({ name, columns, derived }) => {
          const names = [...columns.map(({ sql }) => `\`${sql}\``), derived?.sql ?? []].flat()
          return readable(await database.run(`SELECT ${names.join()} FROM ${name} ORDER BY id`))
        },
        close: database.remove,
      }
    })
  })

  describe('a server', () => {
    let server: MysqlServer
    let database: TestDatabase
    async function start(...flags: readonly string[]): Promise<void> {
      const started = await MysqlServer.start(flavour, flags)
      // A test may start another.
      onTestFinished(() => started.remove())
      server = started
      database = await makeDatabase(server)
    }
    const begin = (options: ImportOptions) => openImporter(database.location, users, options)

    test('that forbids LOAD DATA LOCAL is filled all the same, and the operator is told', async () => {
      for (const [flag, warning] of [
        ['ON', null],
        [
          'OFF',
          'Rows were imported by INSERT, since the server has local_infile = OFF. LOAD DATA LOCAL would be faster.',
        ],
      ]) {
        await start(`--local-infile=${flag}`)
        const importer = await begin({ bulk: true, replace: false })
        await importer.add([user(1)])
        await importer.commit()
        expect(importer.warning?.()).toBe(warning)
        await importer.close()
        expect(await database.run('SELECT id FROM users')).toEqual([[1]])
      }
    })

    const long = user(5000).map((cell) => (cell === 'Name 5000' ? 'x'.repeat(100_000) : cell))

    test('that takes short statements only gets long rows by LOAD DATA', async () => {
      await start('--local-infile=ON', '--max-allowed-packet=64K')
      const importer = await begin({ bulk: true, replace: false })
      await importer.add([user(1), long])
      await importer.commit()
      await importer.close()
      expect(await database.run('SELECT length(display_name) FROM users')).toEqual([[6], [100_000]])
    })

    test('that takes short statements only gets short ones; a row that is longer is named', async () => {
      await start('--local-infile=OFF', '--max-allowed-packet=64K')
      const rows = [...range(1, 3000).map((id) => user(id)), user(4000)]
      const importer = await begin({ bulk: true, replace: false })
      await importer.add(rows)
      await importer.commit()
      await importer.close()
      const careful = await begin({ bulk: false, replace: true })
      const reason = 'longer than max_allowed_packet of the server (65536 bytes)'
      expect(await careful.add([...rows, long, user(6000)])).toEqual([{ index: 3001, reason }])
      await careful.commit()
      await careful.close()
      expect(await database.run('SELECT count(*), max(id) FROM users')).toEqual([[3002, 6000]])
    })

    test('that is read only is not written to, though a superuser could', async () => {
      await start('--read-only')
      await expect(begin({ bulk: true, replace: true })).rejects.toThrow('read only (read_only = ON)')
    })

    test('that has no room left says so', async () => {
      const room = '--innodb-data-file-path=ibdata1:12M:autoextend:max:24M'
      await start('--local-infile=ON', '--innodb-file-per-table=OFF', room)
      const importer = await begin({ bulk: true, replace: false })
      const adding = async () => {
        for (let id = 1; id < 1_000_000; id += 1000)
          await importer.add(range(id, id + 999).map((one) => user(one)))
      }
      const error = await adding().catch((reason: unknown) => reason)
      expect(errors.describeError(error)).toMatch(/is full\. Free disk space on the server\.$/)
      await importer.close()
      expect(await database.run('SELECT count(*) FROM users')).toEqual([[0]])
    })

    test('whose log has statements is filled in bulk', async () => {
      await start('--local-infile=ON', '--log-bin=log', '--server-id=1', '--binlog-format=STATEMENT')
      const importer = await begin({ bulk: true, replace: true })
      await importer.add(range(1, 100).map((id) => user(id)))
      await importer.commit()
      await importer.close()
      expect(await database.run('SELECT count(*) FROM users')).toEqual([[100]])
    })
  })
})
