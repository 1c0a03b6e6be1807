// The rights of each role in the databases that compose.yaml makes, and the standby's script, on real
// servers: PostgreSQL 18 from npm, and Debian's, whose version differs.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { giveAway, type Programs, unpackPrograms } from '../kit/postgres/programs.ts'
import { need } from '../kit/programs.ts'
import { runLookup } from '../kit/run-lookup.ts'
import { debianBin, debianPrograms, type Primary, query, runStandby, startPrimary, urlOf } from './cluster.ts'

const denied = '42501'
const readOnly = '25006'
const strangers = { wrongPassword: '28P01', noRule: '28000' }
const add = (id: number) =>
  `INSERT INTO apps VALUES (${id}, 'Kite', '1.0.0', 2, 'https://k.example/', 'https://k.example/${id}/')`

/** A primary with its roles, the tables, and one app; the end of the test removes it. */
async function startFilled(programs: Programs): Promise<Primary> {
  const primary = await startPrimary(programs)
  onTestFinished(primary.remove)
  expect(primary.makeRoles(false)).not.toBe(0)
  expect(primary.makeRoles()).toBe(0)
  const env = { DATABASE_URL: urlOf('lookup_owner', primary.port) }
  expect(await runLookup(['migrate'], { cwd: tmpdir(), env })).toMatchObject({ status: 0, stderr: '' })
  await query(primary.port, 'lookup_owner', add(1))
  return primary
}

need('initdb', join(debianBin, 'initdb'))
describe('PostgreSQL', { timeout: 120_000 }, () => {
  test.for([
    ["npm's", unpackPrograms],
    ["Debian's", debianPrograms],
  ] as const)('%s: the reader only reads, and no other role connects', async ([, programs]) => {
    const { port } = await startFilled(programs())
    expect(await query(port, 'lookup_reader', 'SELECT id, title FROM apps')).toEqual([['1', 'Kite']])
    await query(port, 'lookup_owner', 'CREATE TABLE later AS SELECT 2 AS two')
    expect(await query(port, 'lookup_reader', 'SELECT two FROM later')).toEqual([[2]])
    const writes = ['UPDATE apps SET category = 1', 'DELETE FROM apps', 'TRUNCATE apps', 'DROP TABLE apps']
    for (const sql of [add(9), ...writes, 'CREATE TABLE mine ()'])
      expect(await query(port, 'lookup_reader', sql), sql).toBe(denied)
    expect(await query(port, 'lookup_reader', 'SELECT 1', 'wrong')).toBe(strangers.wrongPassword)
    expect(await query(port, 'postgres', 'SELECT 1')).toBe(strangers.noRule)
    expect(await query(port, 'replicator', 'SELECT 1')).toBe(strangers.noRule)
  })

  test('the standby copies and follows, also after a stop, and never uses half a copy', async () => {
    const primary = await startFilled(debianPrograms())
    const data = join(primary.home, 'volume/18/docker')
    // The rest of a copy that was killed.
    mkdirSync(`${data}.part`, { recursive: true })
    writeFileSync(join(`${data}.part`, 'PG_VERSION'), '15\n')
    for (const folder of ['volume', 'volume/18', 'volume/18/docker.part'])
      giveAway(join(primary.home, folder))
    const idsAt = (port: number) => () =>
      query(port, 'lookup_reader', "SELECT string_agg(id::text, ',' ORDER BY id) FROM apps")

    const first = await runStandby(primary, data)
    onTestFinished(first.stop)
    expect(existsSync(`${data}.part`)).toBe(false)
    await query(primary.port, 'lookup_owner', add(2))
    await expect.poll(idsAt(first.port)).toEqual([['1,2']])
    expect(await query(first.port, 'lookup_owner', add(3))).toBe(readOnly)
    const followers = 'SELECT usename, state FROM pg_stat_replication'
    expect(primary.psql('-c', followers).stdout).toBe('replicator|streaming\n')

    await first.stop()
    writeFileSync(join(data, 'same-as-before'), '')
    await query(primary.port, 'lookup_owner', add(3))
    const second = await runStandby(primary, data)
    onTestFinished(second.stop)
    await expect.poll(idsAt(second.port)).toEqual([['1,2,3']])
    expect(existsSync(join(data, 'same-as-before'))).toBe(true)
  })
})
