// LOAD DATA LOCAL lets a server ask for any file, at any statement: it gets the rows of an import, and no file.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { ClashError } from '../../../src/stores/importer.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables, openExport, openImporter } from '../../../src/stores/transfer.ts'
import { useDatabase } from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { startAskingProxy } from '../../kit/mysql/proxies.ts'
import { locate } from '../../kit/mysql/server.ts'
import { user } from '../import-data.ts'

const folder = temporaryFolder()
const secret = join(folder.path, 'secret')
writeFileSync(secret, 'the secret')
afterAll(folder.remove)

describe.for(flavours)('a %s server that asks for a file', (flavour) => {
  const engine = mysqlEngine(flavour)
  const database = useDatabase(engine, ({ location }) => makeTables(location))

  async function ask(at: string, passed?: number) {
    const proxy = await startAskingProxy(await engine.shared(), at, secret, passed)
    onTestFinished(proxy.close)
    return { got: proxy.got, location: locate(proxy.url(database().name)) }
  }

  test.for(['SET sql_mode', 'START TRANSACTION', 'DELETE FROM'])(
    'when an import begins, at %s, gets nothing',
    async (at) => {
      const { got, location } = await ask(at)
      await expect(openImporter(location, users, { bulk: true, replace: true })).rejects.toThrow(secret)
      expect(got).toEqual([''])
    },
  )

  test('when an import ends gets nothing', async () => {
    const { got, location } = await ask('COMMIT')
    const importer = await openImporter(location, users, { bulk: true, replace: true })
    await importer.add([user(1)])
    await expect(importer.commit()).rejects.toThrow(secret)
    await importer.close()
    expect(got).toEqual([''])
  })

  test('when rows go in gets them once, whatever file it names', async () => {
    // The first one has no rows.
    const { got, location } = await ask('LOAD DATA', 1)
    const importer = await openImporter(location, users, { bulk: true, replace: true })
    await importer.add([user(7)])
    // When it asks for them again, as the real one does now, it gets none.
    await expect(importer.commit()).rejects.toBeInstanceOf(ClashError)
    await importer.close()
    expect(got).toEqual(['7\tUser 7\tchat-7\tName 7\t2\t1007\t1\t0\tuser 7\n'])
  })

  test('when it is read gets nothing', async () => {
    const { got, location } = await ask('FROM `users`')
    const reading = async () => {
      for await (const _row of openExport(location, users));
    }
    await expect(reading()).rejects.toThrow(secret)
    await expect(openStore(location, () => {})).rejects.toThrow(/cannot be used: the server asked for a file/)
    expect(new Set(got)).toEqual(new Set(['']))
    expect(got.length).toBeGreaterThan(1)
  })
})
