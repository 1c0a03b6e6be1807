// `lookup import … URL` from services that refuse lists, or of which some entries cannot be read.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { relations } from '../../../src/data/relations.ts'
import { closeCopy, copyRows, openCopy } from '../../../src/migration/copy/copy.ts'
import { createClient } from '../../../src/stores/old-service/client.ts'
import { createLookups } from '../../../src/stores/old-service/lookup.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { startOldService } from '../../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const database = ['--database', 'sqlite:lookup.db']
const idsIn = (url: string) => (new URL(url, 'http://x').searchParams.get('Users') ?? '').split(':')
const rejects = () =>
  readFileSync(join(place.path, 'rejects.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function startUsers(answer: (ids: readonly string[]) => string | [status: number, body: string]) {
  const service = await startAnswering(({ url = '' }, response) => {
    const said = answer(idsIn(url))
    if (typeof said === 'string') response.end(said)
    else response.writeHead(said[0]).end(said[1])
  })
  onTestFinished(service.close)
  const copy = (ids: string, ...more: readonly string[]) =>
    place.run(['import', 'users', service.url, '--ids', ids, '--rate', '1000', ...database, ...more])
  return { ...service, copy }
}

const entriesOf = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, userOf(id)]))

describe.skipIf(!hasProgram('php'))('from an old service in PHP', () => {
  test('with an entry that it cannot write, the others are copied', async () => {
    const old = await startOldService({ broken: 2 })
    onTestFinished(old.close)
    const args = ['import', 'users', old.url, '--ids', '1-20', '--rate', '1000', ...database]
    const { status, stdout, stderr } = await place.run(args)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(
      '1 id cannot be copied. Nothing was changed.\n  id 2: the old service does not answer with JSON\nRun "lookup probe',
    )
    const skipping = await place.run([...args, '--skip-invalid', 'rejects.jsonl'])
    expect(skipping.stdout).toMatch(
      /^Imported 12 users .*\nSkipped 1 invalid row\. The reasons are in rejects\.jsonl\.\n$/,
    )
    expect(rejects()).toEqual([{ id: '2', problem: 'the old service does not answer with JSON' }])
  }, 60_000)

  test('that takes short lists, without being told so', async () => {
    const old = await startOldService({ maxValues: 3 })
    onTestFinished(old.close)
    const { stdout } = await place.run([
      'import',
      'users',
      old.url,
      '--ids',
      '1-20',
      '--rate',
      '1000',
      ...database,
    ])
    expect(stdout).toMatch(/^Imported 13 users/)
  })
})

describe('ids with gaps, of a service that refuses lists with an unknown id', () => {
  /** Users 1 to 30, and each seventh from there to 400. */
  const isThere = (id: string) => Number(id) <= 30 || Number(id) % 7 === 0
  const expected = Array.from({ length: 400 }, (_, at) => at + 1).filter((id) => isThere(String(id)))

  test.each<[string, string, (missing: string) => string, number]>([
    ['that names none', 'Not found', () => 'Not found', 1.5 * 400],
    ['that names one', 'No user {value}', (missing) => `No user ${missing}`, 400],
  ])('%s, and is interrupted', async (_, unknownText, say, most) => {
    const { url, asked } = await startUsers((ids) => {
      const missing = ids.find((id) => !isThere(id))
      if (missing === undefined) return JSON.stringify(entriesOf(ids))
      return [404, JSON.stringify({ error: say(missing) })]
    })
    const { database: old } = readConfig({ flags: { DATABASE_URL: url } })
    if (old.kind !== 'old-service') throw new Error('not an old service')
    const lookups = createLookups({ ...old, habits: { unknown: 'refuse', unknownText } }, createClient(old))
    const task = { name: 'users', url, ids: [[1, 400]], state: join(place.path, 'state') } as const
    const run = async (signal: AbortSignal, onProgress: (asked: number) => void) => {
      const copy = openCopy(task)
      const relation = relations.users
      const options = { ...task, relation, lookup: lookups.users.ID, perCall: 100, rate: 1000 }
      try {
        await copyRows(copy, { ...options, skipsFaulty: false, signal, onProgress })
      } finally {
        closeCopy(copy)
      }
    }
    const halfWay = new AbortController()
    const progress: number[] = []
    const note = (done: number) => {
      progress.push(done)
      if (done > 150) halfWay.abort(new Error('interrupted'))
    }
    await expect(run(halfWay.signal, note)).rejects.toThrow()
    const before = progress.at(-1) ?? 0
    expect(before).toBeLessThan(260)
    await run(new AbortController().signal, (done) => progress.push(done))
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.length).toBeGreaterThan(3)
    const rows = readFileSync(`${task.state}.rows`, 'utf8').trimEnd().split('\n')
    expect(rows.map((row) => JSON.parse(row).id)).toEqual(expected)
    expect(asked.length).toBeLessThanOrEqual(most)
  })
})

test('entries that cannot be read are named, all of them, and skipped if wanted', async () => {
  const entries = {
    ...entriesOf(['1', '2', '3', '4', '5', '6', '7']),
    2: { ...userOf('2'), Rank: null },
    3: { ...userOf('3'), JoinDate: `\u202e2001-01-01${'x'.repeat(5_000)}` },
    4: { ...userOf('4'), Banned: undefined },
    5: 'gone',
    6: { ...userOf('6'), Rank: 2 ** 31 },
    // A name that is taken is noticed by the database.
    7: { ...userOf('7'), Username: 'U1', DisplayName: null },
  }
  const { copy, url } = await startUsers(() => JSON.stringify(entries))
  const { status, stderr } = await copy('1-7')
  expect(status).toBe(1)
  const tail = 'x'.repeat(48)
  expect(stderr).toContain(
    [
      'Import failed: 5 ids cannot be copied. Nothing was changed.',
      '  id 2: Rank cannot be null: it must be an integer',
      `  id 3: JoinDate cannot be "\ufffd2001-01-01${tail}…: it must be an integer`,
      '  id 4: Banned is missing',
      '  id 5: it has none of the fields: "gone"',
      '  id 6: rank cannot be "2147483648": it must be a 32-bit integer',
      `Run "lookup probe ${url}" to see how this service differs. Or import the valid rows with --skip-invalid FILE.`,
    ].join('\n'),
  )
  const skipping = await copy('1-7', '--skip-invalid', 'rejects.jsonl')
  expect(skipping).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^Imported 1 user .*\nSkipped 6 invalid rows\. The reasons are in rejects\.jsonl\.\n$/,
    ),
  })
  expect(await place.ids()).toEqual([1])
  const written = rejects()
  expect(written.map(({ id, field }) => [id, field])).toEqual([
    ['2', 'Rank'],
    ['3', 'JoinDate'],
    ['4', 'Banned'],
    ['5', undefined],
    ['6', 'rank'],
    ['7', undefined],
  ])
  expect(written[0]).toEqual({ id: '2', field: 'Rank', problem: expect.any(String), value: 'null' })
  expect(written[1].value).toHaveLength(1001)
  expect(written[5]).toMatchObject({ problem: expect.stringMatching(/^another user has this username/) })
})

test('a name that two of them have is said of the id', async () => {
  const { copy, url } = await startUsers(() =>
    JSON.stringify({ 1: userOf('1'), 2: { ...userOf('2'), Username: 'U1' } }),
  )
  expect((await copy('1-2')).stderr).toContain(
    `Import failed: 1 invalid row from ${url}. Nothing was changed.\n  id 2: another user has this username (case does not count)\n`,
  )
})

test('what was skipped is not forgotten when a copy goes on', async () => {
  let isDown = true
  const { copy, asked } = await startUsers((ids) => {
    if (isDown && ids.includes('3')) return [500, 'down']
    if (isDown && asked.length > 2) return [500, 'down']
    return JSON.stringify({
      ...entriesOf(ids),
      ...(ids.includes('2') && { 2: { ...userOf('2'), Rank: 'x' } }),
    })
  })
  place.write('.env', 'DATABASE_MAX_VALUES=2\n')
  const first = await copy('1-4', '--skip-invalid', 'rejects.jsonl')
  expect(first.stderr).toContain('status 500')
  expect(existsSync(join(place.path, 'rejects.jsonl'))).toBe(false)
  isDown = false
  const without = await copy('1-4')
  expect(without.stderr).toBe(
    '1 id was skipped so far. Add --skip-invalid FILE again, or delete lookup-import-users.state to start over.\n',
  )
  const second = await copy('1-4', '--skip-invalid', 'rejects.jsonl')
  expect(second.stderr).toContain('2 ids are done')
  expect(second.stdout).toMatch(/^Imported 3 users .*\nSkipped 1 invalid row/)
  expect(rejects()).toMatchObject([{ id: '2', field: 'Rank' }])
  expect(existsSync(join(place.path, 'lookup-import-users.state.skipped'))).toBe(false)
}, 60_000)

test('a copy of users that was interrupted is none of apps, and both may be under way', async () => {
  const app = {
    Title: 'a',
    Version: '1.0.0',
    Category: 1,
    ChangelogLink: 'http://a.example/',
    ServiceDownloadLink: 'http://a.example/1/',
  }
  const { url, close } = await startAnswering(({ url = '' }, response) => {
    if (url.includes('Apps=1:2')) response.end(JSON.stringify({ 1: app, 2: app }))
    else if (url.includes('Apps=')) response.end(JSON.stringify({ 1: app }))
    else response.end(JSON.stringify({ 1: { ...userOf('1'), Rank: 'x' } }))
  })
  onTestFinished(close)
  const copy = (name: string, ids = '1') =>
    place.run(['import', name, url, '--ids', ids, '--rate', '1000', ...database])
  expect((await copy('users')).stderr).toContain('Progress is in lookup-import-users.state')
  const apps = await copy('apps')
  expect(apps.stdout).toMatch(/^Imported 1 app /)
  expect(apps.stderr).not.toContain('Resuming')
  expect((await copy('apps', '1-2')).stderr).toContain(
    'id 2: downloadLink must end in the id and a slash: /2/, not "http://a.example/1/"',
  )
  expect(existsSync(join(place.path, 'lookup-import-users.state'))).toBe(true)
})

test('a service that is down is asked a few times, and no list of its ids by halves', async () => {
  const { copy, asked } = await startUsers(() => [503, 'down'])
  const { stderr } = await copy('1-100')
  expect(stderr).toContain('Import failed: the old service answers with status 503. Nothing was changed.')
  expect(asked).toHaveLength(4)
}, 60_000)
