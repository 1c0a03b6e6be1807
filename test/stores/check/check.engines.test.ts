// `lookup check` over real servers: lookups that read a whole table, rows, rights, row level security and
// time zones. Members are in `member`, and their chat identifiers in `meta`.

import { afterAll, describe, expect } from 'vitest'
import type { TestDatabase } from '../../kit/engine.ts'
import { engines, useDatabase } from '../../kit/engines.ts'
import { test } from '../../kit/test.ts'

/** On a busy machine the progress is shown. */
const quiet = expect.stringMatching(/^(?:Checking: .*\n)*$/)

const columns = `no AS id, login AS username, %key AS username_key, value AS chat_id, shown AS display_name, 1 AS %rank,
  joined AS join_date, %true AS is_confirmed, %false AS banned`
const from = `FROM member LEFT JOIN meta AS m ON m.user_id = member.no AND m.name = 'chat'`
const apps = `SELECT no AS id, login AS title, '1.0.0' AS version, 1 AS category, 'https://a.example/log' AS changelog_link,
  concat('https://a.example/', no, '/') AS download_link FROM member`

interface Dialect {
  readonly tables: string
  readonly numbers: string
  /** The columns of `users`. */
  readonly shown: string
  readonly analyse: string
}

const postgresKey = `lower(normalize(login, NFKC) COLLATE "und-x-icu")`
const dialects: Readonly<Record<'postgres' | 'mysql', Dialect>> = {
  postgres: {
    tables: `
      CREATE TABLE member (no bigint PRIMARY KEY, login text, shown text, joined int);
      CREATE TABLE meta (user_id bigint, name text, value text);
      CREATE INDEX by_key ON member (${postgresKey});
      CREATE INDEX by_value ON meta (value, name); CREATE INDEX by_user ON meta (user_id, name)`,
    numbers: 'SELECT n FROM generate_series(1, 5000) AS n',
    shown: columns
      .replace('%key', postgresKey)
      .replace('%rank', 'rank')
      .replace('%true', 'true')
      .replace('%false', 'false'),
    analyse: 'ANALYZE',
  },
  mysql: {
    tables: `
      CREATE TABLE member (no bigint PRIMARY KEY, login varchar(100), shown text, joined int, KEY by_key (login))
        CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
      CREATE TABLE meta (user_id bigint, name varchar(50), value varchar(100), KEY by_value (value, name),
        KEY by_user (user_id, name)) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
    numbers: `SELECT a.d + b.d * 10 + c.d * 100 + e.d * 1000 + 1 AS n FROM digit AS a, digit AS b, digit AS c, digit AS e
      WHERE e.d < 5`,
    shown: columns
      .replace('%key', 'login')
      .replace('%rank', '`rank`')
      .replace('%true', '1')
      .replace('%false', '0'),
    analyse: 'ANALYZE TABLE member, meta',
  },
}

interface Fault {
  readonly name: string
  readonly begin: string
  readonly end: string
  readonly expected: readonly RegExp[]
}

const orReplace = (view: string) => view.replace('CREATE', 'CREATE OR REPLACE')

const faultsOf = (kind: 'postgres' | 'mysql', users: string): readonly Fault[] => {
  const isPostgres = kind === 'postgres'
  const index = (table: string, list: string) =>
    isPostgres
      ? new RegExp(`CREATE INDEX ON public\\.${table} \\(.*${list}.*\\);`)
      : new RegExp(`ALTER TABLE \\w+\\.${table} ADD INDEX \\(.*${list}.*\\);`)
  const drop = (name: string, table: string) =>
    isPostgres ? `DROP INDEX ${name}` : `DROP INDEX ${name} ON ${table}`
  const make = (name: string, on: string) => `CREATE INDEX ${name} ON ${on}`
  const change = (set: string, where: string) => `UPDATE ${set} WHERE ${where}`
  const rows = (table: string) => new RegExp(`reads all [45],\\d\\d\\d rows of \\w+\\.${table}`)
  return [
    {
      name: 'no index on the key',
      begin: drop('by_key', 'member'),
      end: make('by_key', `member (${isPostgres ? postgresKey : 'login'})`),
      expected: [
        /users by username reads/,
        rows('member'),
        isPostgres ? /mend: {4}Add an index on what the view users compares/ : index('member', 'login'),
      ],
    },
    {
      name: 'no index on the chat identifier',
      begin: drop('by_value', 'meta'),
      end: make('by_value', 'meta (value, name)'),
      expected: [/users by chat id reads/, rows('meta'), index('meta', 'value')],
    },
    {
      name: 'no index on the join',
      begin: drop('by_user', 'meta'),
      end: make('by_user', 'meta (user_id, name)'),
      expected: [/users by id reads/, rows('meta'), index('meta', 'user_id')],
    },
    {
      name: 'an entity',
      begin: change(`member SET shown = 'Tom &amp; Jo'`, 'no = 1'),
      end: change(`member SET shown = 'x'`, 'no = 1'),
      expected: [/display_name holds HTML entities/],
    },
    {
      name: 'a second row',
      begin: `INSERT INTO meta VALUES (5, 'chat', 'other')`,
      end: `DELETE FROM meta WHERE value = 'other'`,
      expected: [/users\.id is not unique/, /id 5 is there twice/],
    },
    {
      name: 'a name twice',
      begin: change(`member SET login = 'ＡＤＡ 9'`, 'no = 5000'),
      end: change(`member SET login = 'Ada 5000'`, 'no = 5000'),
      expected: [/username_key is not unique/, /"ＡＤＡ 9", as has id 9|"Ada 9", as has id 5000/],
    },
    isPostgres
      ? {
          name: 'a row that cannot be read',
          begin: orReplace(users.replace('joined AS', '(CASE no WHEN 7 THEN 1e30 ELSE 0 END)::int AS')),
          end: orReplace(users),
          expected: [/Reading ranges of users by id fails\.\n.*integer out of range\n.*correct the row/],
        }
      : {
          name: 'a datetime in the time zone of the server',
          begin: `ALTER TABLE member ADD COLUMN registered datetime NULL;
            ${orReplace(users.replace('joined AS', 'unix_timestamp(registered) AS'))}`,
          end: `${orReplace(users)}; ALTER TABLE member DROP COLUMN registered`,
          expected: [
            /users reads member\.registered in the time zone of the server/,
            /is 19800 seconds off/,
            /TIMESTAMPDIFF\(SECOND, '1970-01-01', member\.registered\)/,
          ],
        },
  ]
}

describe.for(engines)('$name', (engine) => {
  const { kind } = engine
  const dialect = dialects[kind]
  const users = `CREATE VIEW users AS SELECT ${dialect.shown} ${from}`
  const database = useDatabase(engine, async ({ run, name }: TestDatabase) => {
    await run(dialect.tables)
    if (kind === 'mysql')
      await run(
        'CREATE TABLE digit (d int); INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)',
      )
    await run(`INSERT INTO member SELECT n, concat('Ada ', n), 'x', n FROM (${dialect.numbers}) AS numbers`)
    await run(`INSERT INTO meta SELECT no, 'chat', concat('c', no) FROM member`)
    await run(`${users}; CREATE VIEW apps AS ${apps}`)
    await run(dialect.analyse)
    await run(
      kind === 'postgres'
        ? 'CREATE ROLE checker LOGIN; GRANT SELECT ON users, apps TO checker'
        : `CREATE USER checker; GRANT SELECT ON ${name}.users TO checker; GRANT SELECT ON ${name}.apps TO checker`,
    )
  })
  afterAll(() =>
    database().run(kind === 'postgres' ? 'DROP OWNED BY checker; DROP ROLE checker' : 'DROP USER checker'),
  )
  const reader = () => {
    const url = new URL(database().url)
    url.username = 'checker'
    return url.href
  }

  test('finds nothing with the rights of a reader', async ({ place }) => {
    const { status, stdout, stderr } = await place.run(['check', '--database', reader()])
    expect({ status, stderr }).toEqual({ status: 0, stderr: quiet })
    expect(stdout).toMatch(/^Nothing found: 127\.0\.0\.1:/)
  })

  test('a user who may write', async ({ place }) => {
    const { status, stdout } = await place.run(['check', '--database', database().url])
    expect(status).toBe(1)
    expect(stdout).toMatch(/may do more than read/)
    expect(stdout).toMatch(/mend: {4}CREATE (?:ROLE|USER) lookup_reader/)
    expect(stdout).toMatch(/\n1 finding /)
  })

  test.for(faultsOf(kind, users))('$name', async ({ begin, end, expected }, { place }) => {
    const { run } = database()
    await run(begin)
    try {
      const { status, stdout } = await place.run(['check', '--database', database().url])
      expect(status).toBe(1)
      for (const pattern of expected) expect(stdout).toMatch(pattern)
    } finally {
      await run(end)
      await run(dialect.analyse)
    }
  })

  test.runIf(kind === 'mysql')('a reader learns of a scan by what it reads', async ({ place }) => {
    const { run } = database()
    await run('DROP INDEX by_value ON meta')
    try {
      const { status, stdout } = await place.run(['check', '--database', reader()])
      expect(status).toBe(1)
      expect(stdout).toMatch(/users by chat id reads \d+,\d{3} rows of the tables of users/)
      expect(stdout).toMatch(/\n1 finding /)
    } finally {
      await run('CREATE INDEX by_value ON meta (value, name)')
    }
  })

  test.runIf(kind === 'postgres')('the index for a table whose name needs quotes', async ({ place }) => {
    const { run } = database()
    await run('DROP INDEX by_value; ALTER TABLE member RENAME TO "Member"; ALTER TABLE meta RENAME TO "Meta"')
    try {
      const { stdout } = await place.run(['check', '--database', database().url])
      expect(stdout).toMatch(/users by chat id reads all 5,000 rows of public\."Meta"/)
      const [, mend = ''] = /mend: {4}(CREATE INDEX ON public\."Meta" .*)/.exec(stdout) ?? []
      await run(`${mend} ANALYZE`)
      const mended = await place.run(['check', '--database', database().url])
      expect(mended.stdout).not.toMatch(/users by chat id/)
    } finally {
      await run('ALTER TABLE "Member" RENAME TO member; ALTER TABLE "Meta" RENAME TO meta')
      await run('CREATE INDEX by_value ON meta (value, name); ANALYZE')
    }
  })

  test.runIf(kind === 'postgres')('row level security without a policy', async ({ place }) => {
    const { run } = database()
    await run('CREATE ROLE keeper; GRANT SELECT ON member, meta TO keeper; ALTER VIEW users OWNER TO keeper')
    await run('ALTER TABLE member ENABLE ROW LEVEL SECURITY')
    try {
      const { status, stdout } = await place.run(['check', '--database', reader()])
      expect(status).toBe(1)
      expect(stdout).toMatch(/Row level security of member hides all rows of users/)
      const mend = /CREATE POLICY .*;/.exec(stdout)?.[0]
      expect(mend).toBe('CREATE POLICY lookup_reads ON member FOR SELECT TO keeper USING (true);')
      await run(mend ?? '')
      expect((await place.run(['check', '--database', reader()])).status).toBe(0)
    } finally {
      await run('ALTER TABLE member DISABLE ROW LEVEL SECURITY; ALTER VIEW users OWNER TO postgres')
      await run('DROP OWNED BY keeper; DROP ROLE keeper')
    }
  })
})
