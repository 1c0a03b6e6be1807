// `lookup import users URL --ids …`: from the real old service in PHP, and from one that fails half-way.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { idsFrom, parseRanges, sizeOf } from '../../../src/migration/copy/id-ranges.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { sample } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { startOldService } from '../../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const state = 'lookup-import-users.state'
const stateFiles = [state, `${state}.rows`, `${state}.skipped`]
const left = () => stateFiles.filter((name) => existsSync(join(place.path, name)))
const database = ['--database', 'sqlite:lookup.db']
const idsIn = (url: string) => (new URL(url, 'http://x').searchParams.get('Users') ?? '').split(':')

test.skipIf(!hasProgram('php'))('copies all that there is, but for what no answer tells', async () => {
  const old = await startOldService({ maxValues: 5, unknown: 'null', serviceName: 'Acme' })
  onTestFinished(old.close)
  const env = { DATABASE_MAX_VALUES: '5', LEGACY_SERVICE_NAME: 'Acme' }
  const copy = (name: string, ids: string) =>
    place.run(['import', name, old.url, '--ids', ids, '--rate', '1000', ...database], { env })
  const { status, stdout, stderr } = await copy('users', '1-20,9007199254740991')
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^Imported 14 users in \d+\.\d s\.\n$/),
  })
  expect(stderr).toContain('21 ids, 5 per call, 1000 calls per second, one at a time')
  expect(stderr).toContain('chatId stays empty')
  expect((await copy('apps', '1-10,70000')).stdout).toMatch(/^Imported 7 apps/)
  expect(left()).toEqual([])

  for (const name of ['users', 'apps'] as const) {
    const exported = (await place.run(['export', name, ...database])).stdout
    const expected = readFileSync(sample[name], 'utf8').replace(/"chatId":(?:"[^"]*"|null)/g, '"chatId":null')
    expect(exported).toBe(expected)
  }
})

describe('what is interrupted goes on from where it was', () => {
  test('after a failure', async () => {
    let failing = true
    const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
      const ids = idsIn(url)
      if (failing && ids.includes('5')) response.writeHead(400)
      response.end(JSON.stringify(Object.fromEntries(ids.map((id) => [id, userOf(id)]))))
    })
    onTestFinished(close)
    const args = ['import', 'users', url, '--ids', '1-8', '--rate', '1000', ...database]
    const env = { DATABASE_MAX_VALUES: '2' }
    const first = await place.run(args, { env })
    expect({ status: first.status, stdout: first.stdout }).toEqual({ status: 1, stdout: '' })
    expect(first.stderr).toContain(
      `Import failed: 1 id cannot be copied. Nothing was changed.\n  id 5: the old service answers with status 400\nRun "lookup probe ${url}" to see how this service differs.`,
    )
    expect(first.stderr).toContain(`Progress is in ${state}. To resume, run the same command again.`)
    expect(left()).toEqual(stateFiles)

    // Something else does not go on from there.
    const other = await place.run(['import', 'users', url, '--ids', '1-9', ...database])
    expect(other.stderr).toBe(
      'lookup-import-users.state belongs to another import. Delete it, or name another file with --state.\n',
    )

    failing = false
    const before = asked.length
    const second = await place.run(args, { env })
    expect(second.stderr).toContain('Resuming from lookup-import-users.state: 4 ids are done.')
    expect(second.stdout).toMatch(/^Imported 8 users/)
    expect(asked.slice(before).map(idsIn)).toEqual([
      ['5', '6'],
      ['7', '8'],
    ])
    expect(await place.ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(left()).toEqual([])
  }, 60_000)

  test.for(['SIGINT', 'SIGTERM'] as const)('after %s', async (signal) => {
    const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
      response.end(JSON.stringify(Object.fromEntries(idsIn(url).map((id) => [id, userOf(id)]))))
    })
    onTestFinished(close)
    const args = ['import', 'users', url, '--ids', '1-60', '--rate', '20', ...database]
    const options = { cwd: place.path, env: { DATABASE_MAX_VALUES: '1' } }
    const child = startLookup(args, options)
    const ended = outcomeOf(child)
    await expect.poll(() => asked.length).toBeGreaterThan(5)
    child.kill(signal)
    const { status, stdout, stderr } = await ended
    expect({ status, stdout }).toEqual({ status: signal, stdout: '' })
    expect(stderr).toContain('Interrupted. Nothing was changed. Progress is in lookup-import-users.state')

    const rest = await place.run(args.with(args.indexOf('20'), '1000'), options)
    expect(rest.stdout).toMatch(/^Imported 60 users/)
    expect(asked.length).toBeLessThanOrEqual(61)
    expect((await place.ids()).length).toBe(60)
  })
})

test.each([
  ['Username', 'a:b', 'username cannot be "a:b"'],
  // The gateway would refuse the row; an import has to name it.
  ['Rank', 2 ** 31, 'rank cannot be "2147483648"'],
])('rows that the database cannot hold are named: %s', async (field, value, said) => {
  const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
    response.end(idsIn(url).includes('1') ? JSON.stringify({ 1: { ...userOf('1'), [field]: value } }) : '{}')
  })
  onTestFinished(close)
  const args = ['import', 'users', url, '--ids', '1-3', ...database]
  const { status, stderr } = await place.run(args)
  expect(status).toBe(1)
  expect(stderr).toContain(
    `Import failed: 1 id cannot be copied. Nothing was changed.\n  id 1: ${said}: it must be `,
  )
  expect(stderr).toContain(
    `\nRun "lookup probe ${url}" to see how this service differs. Or import the valid rows`,
  )
  const skipping = await place.run([...args, '--skip-invalid', 'rejects.jsonl'])
  expect(skipping).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^Imported 0 users .*\nSkipped 1 invalid row\. The reasons are in rejects\.jsonl\.\n$/,
    ),
  })
  expect(JSON.parse(readFileSync(join(place.path, 'rejects.jsonl'), 'utf8'))).toEqual({
    id: '1',
    field: expect.stringMatching(new RegExp(`^${field}$`, 'i')),
    problem: expect.stringContaining(said),
    value: JSON.stringify(value),
  })
  // For each copy one, and one for what was missing at its end.
  expect(asked).toHaveLength(4)
})

test('an address where nothing answers leaves no state, and says what to check', async () => {
  const { url, close } = await startAnswering((_request, response) => void response.end('{}'))
  await close()
  const args = ['import', 'users', url, '--ids', '1-3', '--rate', '1000', ...database]
  const { status, stdout, stderr } = await place.run(args)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(
    /^Import failed: .*ECONNREFUSED.*\. Nothing was changed\. Check the address, and whether the old service is running\.\n$/m,
  )
  expect(left()).toEqual([])
}, 60_000)

describe('a state file', () => {
  const answerAll = (target: string) =>
    JSON.stringify(Object.fromEntries(idsIn(target).map((id) => [id, userOf(id)])))
  const startOld = async () => {
    const old = await startAnswering(({ url = '' }, response) => void response.end(answerAll(url)))
    onTestFinished(old.close)
    return old
  }

  test('is never something that was there before', async () => {
    const { url, asked } = await startOld()
    await place.run(['migrate', ...database])
    const before = readFileSync(join(place.path, 'lookup.db'))
    place.write('rows.rows', 'mine')
    place.write('text', 'mine')
    for (const [state, message] of [
      ['lookup.db', 'lookup.db is not a state file of this program. Name another file with --state.\n'],
      ['rows', 'rows.rows exists already. Delete it, or name another file with --state.\n'],
      ['text', 'text is not a readable state file. Delete it, or name another file with --state.\n'],
      ['no/where', 'Cannot use the state file no/where: unable to open database file.\n'],
    ] as const) {
      const args = ['import', 'users', url, '--ids', '1-3', '--state', state, ...database]
      expect(await place.run(args)).toEqual({ status: 1, stdout: '', stderr: message })
    }
    expect(readFileSync(join(place.path, 'lookup.db'))).toEqual(before)
    expect(['rows.rows', 'text'].map((name) => readFileSync(join(place.path, name), 'utf8'))).toEqual([
      'mine',
      'mine',
    ])
    expect(asked).toEqual([])
  })

  test('is for one at a time', async () => {
    const { url, asked } = await startOld()
    const args = ['import', 'users', url, '--ids', '1-200', '--rate', '50', ...database]
    const options = { cwd: place.path, env: { DATABASE_MAX_VALUES: '1' } }
    const first = startLookup(args, options)
    const ended = outcomeOf(first)
    await expect.poll(() => asked.length).toBeGreaterThan(5)
    const second = await place.run(args, options)
    expect(second).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The state file lookup-import-users.state is in use: the same command is already running.\n',
    })
    expect((await ended).stdout).toMatch(/^Imported 200 users/)
  }, 30_000)
})

test('a service that cuts long lists short is no service with fewer users', async () => {
  const { url, close } = await startAnswering(({ url = '' }, response) => {
    response.end(
      JSON.stringify(
        Object.fromEntries(
          idsIn(url)
            .slice(0, 4)
            .map((id) => [id, userOf(id)]),
        ),
      ),
    )
  })
  onTestFinished(close)
  const args = ['import', 'users', url, '--ids', '1-20', '--rate', '1000', ...database]
  const { status, stdout, stderr } = await place.run(args)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain(
    'the old service truncates lists: it returned 4 of 20 ids. Set DATABASE_MAX_VALUES=4, or lower.',
  )
  const again = await place.run(args, { env: { DATABASE_MAX_VALUES: '4' } })
  expect(again.stdout).toMatch(/^Imported 20 users/)
})

test('no user there is nothing to import', async () => {
  const { url, close } = await startAnswering((_, response) => void response.end('{}'))
  onTestFinished(close)
  const { status, stderr } = await place.run([
    'import',
    'users',
    url,
    '--ids',
    '1-5',
    '--replace',
    ...database,
  ])
  expect(status).toBe(1)
  expect(stderr).toContain('Import failed: the old service has no users with these ids. Nothing was changed.')
})

test('a mistake is one line', async () => {
  for (const [args, message] of [
    [['http://a.example'], /^Add the ids to copy, such as --ids 1-200000\.\n$/],
    [
      ['http://a.example/?Event=', '--ids', '1'],
      /^error: '\*\*\*' is invalid for argument 'file'\. It must be .*\n$/,
    ],
    [['http://a.example', '--ids', '5-1'], /argument '5-1' is invalid\. It must be ids and ranges, such/],
    [
      ['http://a.example', '--ids', '1', '--database', 'http://b.example'],
      /^This command needs a database \(sqlite:PATH, postgres:\/\/… or mysql:/,
    ],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['import', 'users', ...args])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(message)
  }
})

test('ranges of ids', () => {
  const ranges = parseRanges('1-3, 7,9007199254740990-9007199254740991') ?? []
  expect(sizeOf(ranges)).toBe(6)
  expect(idsFrom(ranges, 0, 99)).toEqual(['1', '2', '3', '7', '9007199254740990', '9007199254740991'])
  expect(idsFrom(ranges, 2, 2)).toEqual(['3', '7'])
  expect(idsFrom(ranges, 5, 2)).toEqual(['9007199254740991'])
  expect(idsFrom(ranges, 6, 2)).toEqual([])
  expect(parseRanges('5-9,1-3,4,8-12,20')).toEqual([
    [1, 12],
    [20, 20],
  ])
  for (const text of ['', '0', '0-5', '3-1', '1-', '-1', 'a', '1,,2', '1-9007199254740992', '1e3'])
    expect(parseRanges(text), text).toBeNull()
})
