import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { OwnDatabase } from '../../src/config/database.ts'
import { users } from '../../src/data/users.ts'
import { openImporter } from '../../src/stores/transfer.ts'
import { type Gateway, temporaryFolder } from '../kit/gateway.ts'
import { csv, range, stageValid } from './import-data.ts'

const ROWS = 2_000

type StartGateway = (
  settings: Readonly<Record<string, string>>,
  data: { readonly users: string },
) => Promise<Pick<Gateway, 'url' | 'close'> & { readonly database: { readonly location: OwnDatabase } }>

/** An import beside a running gateway. */
export function importLiveSuite(start: StartGateway): void {
  test('the rows of an import are shown all at once, by the first request after it', async () => {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    writeFileSync(join(folder.path, 'old.csv'), csv('1', ROWS))
    const gateway = await start({}, { users: join(folder.path, 'old.csv') })
    onTestFinished(gateway.close)
    /** The versions of 200 users of the whole table. */
    const versions = async () => {
      const ids = range(1, 200).map((at) => at * 10)
      const response = await fetch(`${gateway.url}/?Event=ProfileLookup&Users=${ids.join(':')}`)
      const entries: Record<string, { DisplayName: string }> = await response.json()
      expect(Object.keys(entries)).toHaveLength(200)
      return [...new Set(Object.values(entries).map(({ DisplayName }) => DisplayName))]
    }
    for (const version of ['2', '3']) {
      const before = await versions()
      const importer = await openImporter(gateway.database.location, users, true)
      const row = (id: number) => [id, `user ${id}`, null, `version ${version}`, 1, id, 1, 0]
      await stageValid(importer, range(1, ROWS).map(row))
      expect(await versions()).toEqual(before)
      let isCommitted = false
      const committed = importer.commit().then(() => {
        isCommitted = true
      })
      while (!isCommitted) expect([before, [`version ${version}`]]).toContainEqual(await versions())
      await committed
      expect(await versions()).toEqual([`version ${version}`])
      await importer.close()
    }
  })
}
