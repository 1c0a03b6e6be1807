// Which role may do what in the databases that compose.yaml makes, and the standby's script, on real servers:
// PostgreSQL 18 from npm, as far as it goes, and Debian's, whose version is another.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { giveAway, unpackPrograms } from '../kit/postgres/programs.ts'
import { hasProgram } from '../kit/programs.ts'
import { runLookup } from '../kit/run-lookup.ts'
import {
  debianBin,
  debianPrograms,
  type Primary,
  passwords,
  query,
  runStandby,
  startPrimary,
  urlOf,
} from './cluster.ts'

const kinds = { "npm's PostgreSQL": unpackPrograms, "Debian's PostgreSQL": debianPrograms }
const denied = '42501'
const strangers = { wrongPassword: '28P01', noRule: '28000' }
const add = (id: number) =>
  `INSERT INTO apps VALUES (${id}, 'Kite', '1.0.0', 2, 'https://k.example/', 'https://k.example/${id}/')`

let primary: Primary
const here = (user: string, sql: string, password?: string) => query(primary.server.port, user, sql, password)

function prepare(programs: (typeof kinds)[keyof typeof kinds]): void {
  beforeAll(async () => {
    primary = await startPrimary(programs())
    const roles = ['-d', 'lookup', '-f', join(primary.home, 'deploy/roles.sql')]
    const { READER_PASSWORD: _, ...tooFew } = passwords
    expect(primary.psql(['-1', ...roles], tooFew).status).not.toBe(0)
    expect(primary.psql(roles, passwords).status).toBe(0)
    const env = { DATABASE_URL: urlOf('lookup_owner', primary.server.port) }
    expect(await runLookup(['migrate'], { cwd: tmpdir(), env })).toMatchObject({ status: 0, stderr: '' })
    await here('lookup_owner', add(1))
  })
  afterAll(() => primary.remove())
}

const runs = hasProgram('initdb', join(debianBin, 'initdb'))

describe.skipIf(!runs).for(Object.entries(kinds))('%s', ([, programs]) => {
  prepare(programs)

  test('the reader reads what the owner makes, and writes nothing', async () => {
    expect(await here('lookup_reader', 'SELECT id, title FROM apps')).toEqual([['1', 'Kite']])
    await here('lookup_owner', 'CREATE TABLE later AS SELECT 2 AS two')
    expect(await here('lookup_reader', 'SELECT two FROM later')).toEqual([[2]])
    const writing = [
      add(9),
      'UPDATE apps SET category = 1',
      'DELETE FROM apps',
      'TRUNCATE apps',
      'CREATE TABLE mine ()',
    ]
    for (const sql of writing) expect(await here('lookup_reader', sql), sql).toBe(denied)
    expect(await here('lookup_reader', 'DROP TABLE apps')).toBe(denied)
  })

  test('no other role comes in', async () => {
    expect(await here('lookup_reader', 'SELECT 1', 'wrong')).toBe(strangers.wrongPassword)
    expect(await here('postgres', 'SELECT 1', '')).toBe(strangers.noRule)
    expect(await here('replicator', 'SELECT 1')).toBe(strangers.noRule)
  })
})

describe.skipIf(!runs)('the standby', { timeout: 60_000 }, () => {
  prepare(debianPrograms)

  test('is a copy that follows, after a stop too, and of which no half is ever used', async () => {
    const data = join(primary.home, 'volume/18/docker')
    // What a copy leaves behind that was killed.
    mkdirSync(`${data}.part`, { recursive: true })
    writeFileSync(join(`${data}.part`, 'PG_VERSION'), '15\n')
    for (const folder of ['volume', 'volume/18', 'volume/18/docker.part'])
      giveAway(join(primary.home, folder))

    const first = await runStandby(primary, data)
    onTestFinished(first.stop)
    expect(existsSync(`${data}.part`)).toBe(false)
    await here('lookup_owner', add(2))
    await seen(first.port, [['1'], ['2']])
    expect(await query(first.port, 'lookup_owner', add(3))).toBe('25006') // it only reads
    const followers = 'SELECT usename, state FROM pg_stat_replication'
    expect(primary.psql(['-c', followers]).stdout).toBe('replicator|streaming\n')

    await first.stop()
    writeFileSync(join(data, 'same-as-before'), '')
    await here('lookup_owner', add(3))
    const second = await runStandby(primary, data)
    onTestFinished(second.stop)
    await seen(second.port, [['1'], ['2'], ['3']])
    expect(existsSync(join(data, 'same-as-before'))).toBe(true)
  })
})

/** Waits until the standby shows these. */
async function seen(port: number, ids: readonly string[][]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (
      JSON.stringify(await query(port, 'lookup_reader', 'SELECT id FROM apps ORDER BY id')) ===
      JSON.stringify(ids)
    )
      return
    await pause(50)
  }
  throw new Error(`the standby never showed ${ids}`)
}
