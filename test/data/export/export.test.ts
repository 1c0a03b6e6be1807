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
import { change, views } from '../../stores/sqlite/support.ts'

test.for(['users', 'apps'] as const)(
  'an export of the sample %s is the sample',
  async (relation, { place }) => {
    await place.run(['migrate'])
    expect(await place.run(['export', relation])).toEqual({ status: 0, stdout: '', stderr: '' })
    await place.run(['import', relation, sample[relation]])
    const stdout = readFileSync(sample[relation], 'utf8')
    expect(await place.run(['export', relation])).toEqual({ status: 0, stdout, stderr: '' })
  },
)

const nothing = 'NULL AS display_name, NULL AS rank, NULL AS join_date, NULL AS is_confirmed, NULL AS banned'
test.for([
  [
    'like tables, in the order of the ids',
    `INSERT INTO forum_members (member_no, login, chat_handle, level, joined_at, confirmed_at, state) VALUES
       (10, 'Bo', NULL, 1, '1970-01-01 00:00:02', NULL, 'active'), (5, 'Ada', 'c5', 1, '1970-01-01 00:00:02', '', 'banned')`,
    '{"id":5,"username":"Ada","chatId":"c5","displayName":"","rank":1,"joinDate":2,"isConfirmed":true,"banned":true}\n' +
      '{"id":10,"username":"Bo","chatId":null,"displayName":"","rank":1,"joinDate":2,"isConfirmed":false,"banned":false}\n',
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
  ['lookup.db', /^There is no database lookup\.db\. Create an empty one with "lookup migrate", or .*\n$/],
  ['text.db', /^.*text\.db.*\n$/],
  ['tables.db', /^.*tables\.db.*\n$/],
] as const)('a file that is no database of ours is named: %s', async ([name, says], { place }) => {
  place.write('text.db', 'text\n'.repeat(1000))
  change(join(place.path, 'tables.db'), 'CREATE TABLE orders (id)')
  const { status, stdout, stderr } = await place.run(['export', 'users', '--database', `sqlite:${name}`])
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(says) })
})

test('a reader that has seen enough is no error', async ({ place }) => {
  await place.fromInput(csvFile(...Array.from({ length: 2_000 }, (_, at) => csvRow(at + 1))))
  const child = startLookup(['export', 'users'], { cwd: place.path })
  const complaints = text(child.stderr)
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await complaints).toBe('')
})

test('an output that cannot be written while it is waited for ends the export with 1', async ({ place }) => {
  await place.fromInput(csvFile(...Array.from({ length: 2_000 }, (_, at) => csvRow(at + 1))))
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  const write = (_chunk: unknown, _encoding: unknown, done: (error: Error) => void) =>
    void setImmediate(done, full)
  const stdout = new Writable({ highWaterMark: 1, write })
  const stderr = new TextStream()
  const args = ['export', 'users', '--database', `sqlite:${place.path}/lookup.db`]
  const { signal } = new AbortController()
  const status = await main(args, { stdin: Readable.from([]), stdout, stderr, env: {}, signal })
  expect([status, stderr.text]).toEqual([1, 'Cannot write the output: no space left\n'])
})
