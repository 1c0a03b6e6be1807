// `lookup check` over an SQLite file, and what a gateway logs of it after its start.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { checkInBackground } from '../../../src/stores/check/check.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { test } from '../../kit/test.ts'

/** On a busy machine the progress is shown. */
const quiet = expect.stringMatching(/^(?:Checking: .*\n)*$/)

/** 3,000 members of a forum and two apps, behind views. */
const forum = (change: string) => `
  CREATE TABLE member (no INTEGER PRIMARY KEY, login TEXT, login_key TEXT, chat TEXT, shown TEXT, level INTEGER);
  CREATE TABLE meta (user_id INTEGER, name TEXT, value TEXT);
  CREATE TABLE release (no INTEGER PRIMARY KEY, title TEXT, version TEXT, log TEXT, link TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO member SELECT i, 'Ada ' || i, 'ada ' || i, 'c' || i, 'Shown', 1 FROM n;
  INSERT INTO meta SELECT no, 'joined', 1 FROM member;
  INSERT INTO release VALUES (1, 'Kite', '1.0.0', 'https://a.example/log', 'https://a.example/1/'),
    (2, 'Boat', '1.0.1', 'https://a.example/log', 'https://a.example/2/');
  CREATE INDEX member_by_key ON member (login_key);
  CREATE INDEX member_by_chat ON member (chat);
  CREATE INDEX meta_by_user ON meta (user_id, name);
  CREATE VIEW users AS SELECT no AS id, login AS username, login_key AS username_key, chat AS chat_id,
    shown AS display_name, level AS rank,
    CAST((SELECT value FROM meta WHERE user_id = no AND name = 'joined') AS INTEGER) AS join_date,
    1 AS is_confirmed, 0 AS banned FROM member;
  CREATE VIEW apps AS SELECT no AS id, title, version, 1 AS category, log AS changelog_link, link AS download_link
    FROM release;
  ${change}`

function makeForum(folder: string, change: string): string {
  const path = join(folder, 'forum.db')
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; ${forum(change)}`)
  database.close()
  return path
}

/** A change of the forum, and what is printed of it. */
const faults: readonly (readonly [change: string, ...expected: RegExp[]])[] = [
  ['DROP INDEX member_by_key', /users by username reads more than 1,000 rows of member/],
  ['DROP INDEX member_by_chat', /users by chat id reads/, /ON member \(chat\)/],
  [
    'DROP INDEX meta_by_user',
    /users by id reads more than 1,000 rows of meta/,
    /CREATE INDEX lookup_meta ON meta \(user_id, name\);/,
  ],
  [
    `INSERT INTO member VALUES (0, 'nobody', 'nobody', NULL, '', 1)`,
    /users\.id must be .* from 1/,
    /id 0 has 0/,
  ],
  [
    `UPDATE member SET shown = 'Tom &amp; Jo' WHERE no < 4`,
    /display_name holds HTML entities \(3 times/,
    /"Tom &amp; Jo"/,
    /replace\(.*'&lt;'/,
  ],
  [
    `UPDATE member SET login = 'ＡＤＡ', login_key = 'ａｄａ' WHERE no = 7`,
    /users are not found by their name/,
    /id 7 has "ＡＤＡ", with the username_key "ａｄａ"; the gateway looks for "ada"/,
  ],
  [`UPDATE member SET chat = 'c1' WHERE no = 3000`, /users\.chat_id is not unique/],
  [
    `DROP VIEW apps; CREATE TABLE mirror (no INTEGER, link TEXT);
     INSERT INTO mirror SELECT no, link FROM release; INSERT INTO mirror SELECT no, link FROM release;
     CREATE VIEW apps AS SELECT release.no AS id, title, version, 1 AS category, log AS changelog_link,
       mirror.link AS download_link FROM release JOIN mirror ON mirror.no = release.no`,
    /apps\.id is not unique/,
    /id 1 is there twice/,
  ],
  [
    `UPDATE member SET shown = printf('%.*c', 1001, 'x') WHERE no = 1500 + 60 * 10`,
    /display_name must be .* 1,000 characters/,
    /substr\(display_name, 1, 1000\)/,
  ],
  [`UPDATE release SET version = '1.2' WHERE no = 2`, /apps\.version must be numbers/, /id 2 has "1\.2"/],
  [
    `UPDATE release SET link = 'https://a.example/3/' WHERE no = 2`,
    /apps\.download_link must end in the id/,
    /link \|\| '\/' \|\| id|… \|\| '\/' \|\| id/,
  ],
]

describe('lookup check', () => {
  test('finds nothing', async ({ place }) => {
    makeForum(place.path, '')
    const outcome = await place.run(['check', '--database', 'sqlite:forum.db'])
    expect(outcome).toEqual({
      status: 0,
      stdout: 'Nothing found: forum.db is fit for lookups.\n',
      stderr: quiet,
    })
  })

  test('finds in the tables of an import what the sample has', async ({ place, shared }) => {
    const { stdout } = await place.run(['check', '--database', `sqlite:${shared.path}`])
    expect(stdout).toMatch(/^users\.display_name holds HTML entities/)
    expect(stdout).toMatch(/\n1 finding /)
  })

  test.for(faults)('%s', async ([change, ...expected], { place }) => {
    makeForum(place.path, change)
    const { status, stdout, stderr } = await place.run(['check', '--database', 'sqlite:forum.db'])
    expect({ status, stderr }).toEqual({ status: 1, stderr: quiet })
    for (const pattern of expected) expect(stdout).toMatch(pattern)
    expect(stdout).toMatch(/^ {2}example: .*\n {2}mend: {4}\S/m)
    expect(stdout).toMatch(/\d finding/)
  })

  test('a file that is not there', async ({ place }) => {
    const { status, stderr } = await place.run(['check', '--database', 'sqlite:none.db'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/There is no database none\.db/)
  })
})

describe('after the start', () => {
  const watch = async (path: string) => {
    const seen: Observation[] = []
    await checkInBackground({ kind: 'sqlite', path }, (one) => seen.push(one))
    return seen
  }

  test('each fault of a view is logged', async ({ place }) => {
    const seen = await watch(makeForum(place.path, `UPDATE release SET version = '1.2'`))
    const [finding] = seen
    expect(seen).toHaveLength(1)
    expect(finding).toMatchObject({ type: 'database-finding', reason: expect.stringContaining('"1.2"') })
  })

  test('tables of an import are not looked at, nor a file that cannot be opened', async ({
    shared,
    place,
  }) => {
    expect(await watch(shared.path)).toEqual([])
    expect(await watch(join(place.path, 'none', 'none.db'))).toEqual([])
  })

  test('a gateway is ready, and logs the fault', async ({ place }) => {
    makeForum(place.path, `UPDATE release SET version = '1.2' WHERE no = 2`)
    const gateway = await serve({ cwd: place.path }, '--database', 'sqlite:forum.db')
    let log = ''
    gateway.process.stderr.on('data', (data) => {
      log += data
    })
    await expect.poll(() => log).toContain('"type":"database-finding"')
    expect((await fetch(`${originOf(gateway.shown.Readiness)}/ready`)).status).toBe(200)
    await gateway.stop()
  })
})
