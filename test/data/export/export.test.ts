import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { generate } from '../../../bench/generate.ts'
import { sample } from '../../kit/gateway.ts'
import { startLookup } from '../../kit/run-lookup.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { change } from '../../stores/sqlite/support.ts'
import { views, writers } from '../../stores/sqlite/views.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

test.for(['users', 'apps'] as const)(
  'an export of the sample %s is the sample, byte for byte',
  async (relation) => {
    await place.run(['import', relation, sample[relation]])
    expect(await place.run(['export', relation])).toEqual({
      status: 0,
      stdout: readFileSync(sample[relation], 'utf8'),
      stderr: '',
    })
  },
)

test('rows come in the order of the ids, one JSON object a line with every column', async () => {
  await place.run(
    ['import', 'users', '-', '--format', 'csv'],
    {},
    csvFile(csvRow(10), csvRow(9), csvRow(100)),
  )
  const { stdout } = await place.run(['export', 'users'])
  expect(stdout.endsWith('}\n')).toBe(true)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ id }) => id)).toEqual([9, 10, 100])
  expect(rows[0]).toStrictEqual({
    id: 9,
    username: 'user 9',
    chatId: null,
    displayName: 'Name 9',
    rank: 1,
    joinDate: 1009,
    isConfirmed: true,
    banned: false,
  })
})

test('an empty relation is an empty export', async () => {
  await place.run(['migrate'])
  expect(await place.run(['export', 'apps'])).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('views are exported like tables', async () => {
  const put = `INSERT INTO users VALUES (5, 'Ada', 'ada', 'c5', '', 1, 2, 1, 1)`
  change(join(place.path, 'lookup.db'), `${views} ${writers} ${put}`)
  const { stdout } = await place.run(['export', 'users'])
  expect(stdout).toBe(
    '{"id":5,"username":"Ada","chatId":"c5","displayName":"","rank":1,"joinDate":2,"isConfirmed":true,"banned":true}\n',
  )
})

test('NULL in a view is what lookups answer, so that the export can be imported', async () => {
  const nothing =
    'NULL AS display_name, NULL AS rank, NULL AS join_date, NULL AS is_confirmed, NULL AS banned'
  change(
    join(place.path, 'lookup.db'),
    `${views} DROP VIEW users;
     CREATE VIEW users AS SELECT 5 AS id, 'Ada' AS username, 'ada' AS username_key, NULL AS chat_id, ${nothing}`,
  )
  const { stdout } = await place.run(['export', 'users'])
  expect(stdout).toBe(
    '{"id":5,"username":"Ada","chatId":null,"displayName":"","rank":0,"joinDate":0,"isConfirmed":false,"banned":false}\n',
  )
  const again = ['import', 'users', '-', '--format', 'jsonl', '--database', 'sqlite:again.db']
  expect(await place.run(again, {}, stdout)).toMatchObject({ status: 0 })
})

describe('a missing database is one line, and is not made', () => {
  test.for([
    ['the default one', {}, 'lookup.db'],
    ['a chosen one', { DATABASE_URL: 'sqlite:other.db' }, 'other.db'],
  ] as const)('%s', async ([, env, name]) => {
    for (const relation of ['users', 'apps']) {
      expect(await place.run(['export', relation], { env })).toEqual({
        status: 1,
        stdout: '',
        stderr: `There is no database ${name}. Create an empty one with "lookup migrate", or correct DATABASE_URL.\n`,
      })
    }
  })
})

test.for(['text.db', 'tables.db'])('a file that is no database of ours is named: %s', async (name) => {
  place.write('text.db', 'text\n'.repeat(1000))
  change(join(place.path, 'tables.db'), 'CREATE TABLE orders (id)')
  const { status, stdout, stderr } = await place.run(['export', 'users', '--database', `sqlite:${name}`])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr).toContain(name)
})

test.for([
  ['users', 60_000],
  ['apps', 3],
] as const)('a reader that has seen enough is no error: %s, %i rows', async ([relation, count]) => {
  place.write('rows.csv', [...generate(relation, count)].join(''))
  await place.run(['import', relation, 'rows.csv'])
  const child = startLookup(['export', relation], { cwd: place.path })
  const complaints = text(child.stderr)
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await complaints).toBe('')
})
