// A server may ask for any file of the client, at any statement, as for LOAD DATA LOCAL: it gets none.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { errors } from '../../../src/stores/mysql/errors.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables, openExport, openImporter } from '../../../src/stores/transfer.ts'
import { useDatabase } from '../../kit/engines.ts'
import { temporaryFolder } from '../../kit/gateway.ts'
import { mysqlEngine } from '../../kit/mysql/engine.ts'
import { flavours } from '../../kit/mysql/programs.ts'
import { startAskingProxy } from '../../kit/mysql/proxies.ts'
import { locate } from '../../kit/mysql/server.ts'
import { importInto, user } from '../import-data.ts'

const folder = temporaryFolder()
const secret = join(folder.path, 'secret')
writeFileSync(secret, 'the secret')
afterAll(folder.remove)

describe.for(flavours)('a %s server that asks for a file', (flavour) => {
  const engine = mysqlEngine(flavour)
  const database = useDatabase(engine, ({ location }) => makeTables(location))

  async function ask(at: string) {
    const proxy = await startAskingProxy(await engine.shared(), at, secret)
    onTestFinished(proxy.close)
    return { got: proxy.got, location: locate(proxy.url(database().name)) }
  }

  test.for([
    ...['SET sql_mode', 'CREATE TEMPORARY', 'INSERT INTO lookup_import'],
    ...['START TRANSACTION', 'DELETE FROM', 'INSERT INTO `users`', 'COMMIT'],
  ])('during an import, at %s, gets nothing', async (at) => {
    const { got, location } = await ask(at)
    const importing = async () => importInto(await openImporter(location, users, true), [user(1)])
    const error = await importing().catch((reason: unknown) => reason)
    expect(errors.describeError(error)).toMatch(/LOCAL INFILE/)
    expect(got).toEqual([''])
    if (at !== 'COMMIT') expect(await database().run('SELECT count(*) FROM users')).toEqual([[0]])
  })

  test('when it is read gets nothing', async () => {
    const { got, location } = await ask('FROM `users`')
    const reading = async () => {
      for await (const _row of openExport(location, users));
    }
    await expect(reading()).rejects.toThrow(secret)
    await expect(openStore(location, () => {})).rejects.toThrow(/cannot be used: .*LOCAL INFILE/)
    expect(new Set(got)).toEqual(new Set(['']))
    expect(got.length).toBeGreaterThan(1)
  })
})
