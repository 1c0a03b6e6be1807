import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { main } from '../../../src/cli.ts'
import { sample } from '../../kit/gateway.ts'
import { startLookup, TextStream } from '../../kit/run-lookup.ts'
import { test } from '../../kit/test.ts'
import { csvFile, csvRow } from '../../kit/workplace.ts'
import { change } from '../../stores/sqlite/support.ts'
import { views, writers } from '../../stores/sqlite/views.ts'

test.for(['users', 'apps'] as const)(
  'an export of the sample %s is the sample',
  async (relation, { place }) => {
    await place.run(['import', relation, sample[relation]])
    const stdout = readFileSync(sample[relation], 'utf8')
    expect(await place.run(['export', relation])).toEqual({ status: 0, stdout, stderr: '' })
  },
)

test('rows come in the order of the ids', async ({ place }) => {
  await place.fromInput(csvFile(csvRow(10), csvRow(9), csvRow(100)))
  expect(await place.ids()).toEqual([9, 10, 100])
})

test('an empty relation is an empty export', async ({ place }) => {
  await place.run(['migrate'])
  expect(await place.run(['export', 'apps'])).toEqual({ status: 0, stdout: '', stderr: '' })
})

const nothing = 'NULL AS display_name, NULL AS rank, NULL AS join_date, NULL AS is_confirmed, NULL AS banned'
test.for([
  [
    'like tables',
    `${writers} INSERT INTO users VALUES (5, 'Ada', 'ada', 'c5', '', 1, 2, 1, 1)`,
    '{"id":5,"username":"Ada","chatId":"c5","displayName":"","rank":1,"joinDate":2,"isConfirmed":true,"banned":true}\n',
  ],
  [
    'with what lookups answer for NULL, so that it can be imported',
    `DROP VIEW users;
     CREATE VIEW users AS SELECT 5 AS id, 'Ada' AS username, 'ada' AS username_key, NULL AS chat_id, ${nothing}`,
    '{"id":5,"username":"Ada","chatId":null,"displayName":"","rank":0,"joinDate":0,"isConfirmed":false,"banned":false}\n',
  ],
] as const)('views are exported %s', async ([, sql, expected], { place }) => {
  change(join(place.path, 'lookup.db'), `${views} ${sql}`)
  expect((await place.run(['export', 'users'])).stdout).toBe(expected)
  const again = ['import', 'users', '-', '--format', 'jsonl', '--database', 'sqlite:again.db']
  expect(await place.run(again, {}, expected)).toMatchObject({ status: 0 })
})

test.for([
  ['the default one', {}, 'lookup.db'],
  ['a chosen one', { DATABASE_URL: 'sqlite:other.db' }, 'other.db'],
] as const)('a missing database is one line, and is not made: %s', async ([, env, name], { place }) => {
  const stderr = `There is no database ${name}. Create an empty one with "lookup migrate", or correct DATABASE_URL.\n`
  for (const relation of ['users', 'apps'])
    expect(await place.run(['export', relation], { env })).toEqual({ status: 1, stdout: '', stderr })
})

test.for(['text.db', 'tables.db'])(
  'a file that is no database of ours is named: %s',
  async (name, { place }) => {
    place.write('text.db', 'text\n'.repeat(1000))
    change(join(place.path, 'tables.db'), 'CREATE TABLE orders (id)')
    const { status, stdout, stderr } = await place.run(['export', 'users', '--database', `sqlite:${name}`])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^.*${name}.*\n$`))
  },
)

const rows = csvFile(...Array.from({ length: 2_000 }, (_, at) => csvRow(at + 1)))

test('a reader that has seen enough is no error', async ({ place }) => {
  await place.fromInput(rows)
  const child = startLookup(['export', 'users'], { cwd: place.path })
  const complaints = text(child.stderr)
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await complaints).toBe('')
})

test.for([
  ['EPIPE', 0, ''],
  ['ENOSPC', 1, 'Cannot write the output: no space left\n'],
])(
  'an output that fails with %s while it is waited for ends the export with %i',
  async ([code, expected, says], { place }) => {
    await place.fromInput(rows)
    const stdout = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) =>
        void setImmediate(done, Object.assign(new Error('no space left'), { code })),
    })
    const stderr = new TextStream()
    const args = ['export', 'users', '--database', `sqlite:${place.path}/lookup.db`]
    const { signal } = new AbortController()
    const status = await main(args, { stdin: Readable.from([]), stdout, stderr, env: {}, signal })
    expect([status, stderr.text]).toEqual([expected, says])
  },
)
