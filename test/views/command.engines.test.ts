// `lookup views` without --apply, and what it cannot do.

import { execFileSync } from 'node:child_process'
import { describe, expect } from 'vitest'
import { openDatabase } from '../kit/engines.ts'
import { mysqlEngine } from '../kit/mysql/engine.ts'
import { test } from '../kit/test.ts'
import { mysqlForums } from './forums/mysql-forums.ts'

const engine = mysqlEngine('mariadb')
const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = concat(database(), '_lookup') ORDER BY 1`
const phpbb = mysqlForums.find(({ program }) => program === 'phpbb')
const withForum = () =>
  openDatabase(engine, async ({ run }) => {
    for (const statement of phpbb?.tables.split(';') ?? []) await run(statement)
  })

test("prints SQL that changes nothing, until the server's own client runs it", async ({ place }) => {
  const { url, run, name } = await withForum()
  const { status, stdout } = await place.run(['views', 'phpbb', '--chat', 'talk', '--database', url])
  expect(status).toBe(0)
  expect(await run(tables)).toEqual([])
  const { port } = new URL(url)
  // The reader is left out: tests share the server.
  const [input] = stdout.split('\n-- A reader')
  const args = ['--no-defaults', '--protocol=tcp', '--host=127.0.0.1', `--port=${port}`, '--user=root', name]
  execFileSync('mariadb', args, { input })
  expect(await run(tables)).toEqual([['apps'], ['names'], ['users']])
  await run(`DROP DATABASE ${name}_lookup`)
})

describe('a mistake is explained', () => {
  test.for([
    [
      ['mybb'],
      1,
      /no table mybb_users with .* of MyBB 1\.8\. Name the database of the forum .* its prefix: --prefix "phpbb_"/,
    ],
    [['phpbb', '--prefix', 'x_'], 1, /no table x_users .* --prefix "phpbb_"/],
    [['flarum', '--prefix', 'phpbb_'], 1, /no table phpbb_users with the columns id and username of Flarum/],
    [['vbulletin'], 1, /there is no such table with any prefix/],
    [
      ['phpbb', '--chat', 'none'],
      1,
      /no chat source "none" in phpBB 3\.3: nothing is in phpbb_profile_fields_data\.pf_none/,
    ],
    [['phpbb', '--chat', "'"], 2, /--chat cannot be "'"/],
    [['discourse'], 2, /Discourse is in PostgreSQL/],
    [['other'], 2, /Allowed choices are phpbb, mybb/],
  ] as const)('%j', async ([args, expected, message], { place }) => {
    const { url } = await withForum()
    const { status, stdout, stderr } = await place.run(['views', ...args, '--database', url])
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
