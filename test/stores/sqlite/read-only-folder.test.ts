// A database where nothing may be written: SQLite cannot keep the two small files beside it that it needs.

import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readLog } from '../../kit/log.ts'
import { canMount } from '../../kit/programs.ts'
import { runProcess } from '../../kit/run-lookup.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

const mountable = canMount()
let place: Workplace
let data: string
beforeEach(async () => {
  place = makeWorkplace()
  data = join(place.path, 'data')
  mkdirSync(data)
  await place.run(['migrate'], { env: { DATABASE_URL: 'sqlite:data/lookup.db' } })
  put('old')
})
afterEach(() => place.remove())

/** Writes to it where that is possible: outside of the gateway's namespace. */
function put(title: string, file = 'lookup.db'): void {
  const database = new DatabaseSync(join(data, file))
  database
    .prepare(`INSERT OR REPLACE INTO apps VALUES (1, ?, '1', 1, 'https://a.example', 'https://a.example/1')`)
    .run(title)
  database.close()
}

const readOnly = () => ({
  cwd: place.path,
  env: { DATABASE_URL: 'sqlite:data/lookup.db' },
  mount: `mount --bind ${data} ${data} && mount -o remount,ro,bind ${data}`,
})

describe.skipIf(!mountable)('a read-only file system', () => {
  async function start() {
    const serving = await serve(readOnly())
    const url = originOf(serving.shown['Legacy JSON'])
    const ready = originOf(serving.shown.Readiness)
    return {
      log: readLog(serving.process.stderr),
      ready: async () => (await fetch(`${ready}/ready`)).status,
      ask: async () => {
        const response = await fetch(`${url}/?Event=AppLookup&Apps=1`)
        return response.ok ? /"Title":\s*"(\w+)"/.exec(await response.text())?.[1] : response.status
      },
    }
  }

  test('is served, with a warning; a change from elsewhere is seen', async () => {
    const { log, ready, ask } = await start()
    expect(await ask()).toBe('old')
    expect(await ready()).toBe(200)
    await expect
      .poll(() => log.of('database-warning'))
      .toMatchObject([{ reason: expect.stringMatching(/folder is read-only.*once a second/) }])
    put('changed')
    await expect.poll(ask).toBe('changed')
    put('other', 'lookup.db')
    await expect.poll(ask).toBe('other')
  })

  test('another file in its place is seen, too', async () => {
    const { ask } = await start()
    await place.run(['migrate'], { env: { DATABASE_URL: 'sqlite:data/new.db' } })
    put('new', 'new.db')
    renameSync(join(data, 'new.db'), join(data, 'lookup.db'))
    await expect.poll(ask).toBe('new')
  })

  test('a WAL with changes that are not in the database is refused with what to do', async () => {
    const program = new DatabaseSync(join(data, 'lookup.db'))
    onTestFinished(() => program.close())
    program.exec('PRAGMA wal_autocheckpoint = 0; DELETE FROM apps')
    // As in a copy of the folder: without the file that is made anew at any time.
    const env = { DATABASE_URL: 'sqlite:copy/lookup.db' }
    const mount = `mkdir copy && cp data/lookup.db data/lookup.db-wal copy && mount --bind copy copy && mount -o remount,ro,bind copy`
    const { status, stderr } = await runProcess(['serve'], { cwd: place.path, env, mount })
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /lookup\.db-wal has changes.*run: sqlite3 \S*copy\/lookup\.db 'PRAGMA wal_checkpoint\(TRUNCATE\)'/,
    )
  })
})
