// Imports by another process beside a running gateway.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../kit/engines.ts'
import { type Gateway, startGateway, temporaryFolder } from '../kit/gateway.ts'
import { outcomeOf, runLookup, startLookup } from '../kit/run-lookup.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { csv } from './import-data.ts'

async function startOnSqlite(...options: Parameters<typeof startGateway>) {
  const gateway = await startGateway(...options)
  return { ...gateway, database: { url: `sqlite:${gateway.database.path}` } }
}

const databases = {
  SQLite: startOnSqlite,
  ...Object.fromEntries(engines.map((engine) => [engine.name, startGatewayOn(engine)])),
}

describe.for(Object.entries(databases))('a running gateway over %s', ([, start]) => {
  let folder: ReturnType<typeof temporaryFolder>
  let gateway: Pick<Gateway, 'url' | 'close'> & { readonly database: { readonly url: string } }
  beforeEach(async () => {
    folder = temporaryFolder()
    for (const version of ['1', '2']) writeFileSync(join(folder.path, `${version}.csv`), csv(version, 30_000))
    gateway = await start({}, { users: join(folder.path, '1.csv') })
  })
  afterEach(async () => {
    await gateway.close()
    folder.remove()
  })

  const ids = Array.from({ length: 200 }, (_, index) => 1 + index * 149)
  /** The versions that one answer shows, of users from the whole table. */
  async function ask(): Promise<string[]> {
    const response = await fetch(`${gateway.url}/?Event=ProfileLookup&Users=${ids.join(':')}`)
    expect(response.status).toBe(200)
    const entries = Object.values((await response.json()) as Record<string, { DisplayName: string }>)
    expect(entries).toHaveLength(ids.length)
    return [...new Set(entries.map(({ DisplayName }) => DisplayName))]
  }

  test('shows one version of the data or the other, and the new one as soon as it is imported', async () => {
    let answers = 0
    let shown = 'version 1'
    for (const version of ['2', '1', '2']) {
      const args = ['import', 'users', `${version}.csv`, '--replace']
      const child = startLookup([...args, '--database', gateway.database.url], {
        cwd: folder.path,
      })
      const outcome = outcomeOf(child)
      for (; child.exitCode === null; answers++)
        expect([[shown], [`version ${version}`]]).toContainEqual(await ask())
      shown = `version ${version}`
      // The very next request.
      expect(await ask()).toEqual([shown])
      expect(await outcome).toMatchObject({ status: 0 })
    }
    // They were asked while the imports were going on.
    expect(answers).toBeGreaterThan(20)
  })

  test('keeps the old data when an import fails', async () => {
    const bad = `${csv('2', 5000)}1,twice,version 2,1,1,true,false\n`
    const args = ['import', 'users', '-', '--format', 'csv', '--replace']
    const env = { DATABASE_URL: gateway.database.url }
    expect(await runLookup(args, { cwd: folder.path, env }, bad)).toMatchObject({ status: 1 })
    expect(await ask()).toEqual(['version 1'])
  })
})
