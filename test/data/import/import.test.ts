import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sample } from '../../kit/gateway.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const two = csvFile(csvRow(1), csvRow(2))
const jsonl =
  '{"id":3,"username":"three","displayName":"","rank":1,"joinDate":2,"isConfirmed":true,"banned":false}\n'

describe('what goes in', () => {
  test('a CSV file, with the result on stdout and nothing on stderr', async () => {
    place.write('users.csv', two)
    expect(await place.run(['import', 'users', 'users.csv'])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Imported 2 users in \d+\.\d s\.\n$/),
      stderr: '',
    })
    expect(await place.ids()).toEqual([1, 2])
  })

  test('both samples', async () => {
    expect(await place.run(['import', 'users', sample.users])).toMatchObject({ status: 0, stderr: '' })
    expect(await place.run(['import', 'apps', sample.apps])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Imported 7 apps'),
    })
    expect(await place.ids('users')).toHaveLength(14)
    expect(await place.ids('apps')).toHaveLength(7)
  })

  test.for(['USERS.CSV', 'my.users.csv'])('CSV by the extension of %s', async (name) => {
    place.write(name, two)
    expect(await place.run(['import', 'users', name])).toMatchObject({ status: 0 })
  })

  test.for(['a.jsonl', 'a.ndjson', 'a.JSONL', 'a.json'])(
    'JSON Lines by the extension of %s',
    async (name) => {
      place.write(name, jsonl)
      expect(await place.run(['import', 'users', name])).toMatchObject({ status: 0 })
      expect(await place.ids()).toEqual([3])
    },
  )

  test.for([
    ['csv', two, [1, 2]],
    ['jsonl', jsonl, [3]],
  ] as const)('standard input with --format %s', async ([format, input, ids]) => {
    expect(await place.run(['import', 'users', '-', '--format', format], {}, input)).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(await place.ids()).toEqual(ids)
  })

  test('--format wins over the extension', async () => {
    place.write('odd.csv', jsonl)
    expect(await place.run(['import', 'users', 'odd.csv', '--format', 'jsonl'])).toMatchObject({ status: 0 })
  })

  test('a header alone is an import of nothing', async () => {
    place.write('none.csv', csvFile())
    expect(await place.run(['import', 'users', 'none.csv'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Imported 0 users'),
    })
  })

  test('rows are added, and with --replace they take the place of the old ones', async () => {
    place.write('a.csv', two)
    place.write('b.csv', csvFile(csvRow(5), csvRow(4)))
    await place.run(['import', 'users', 'a.csv'])
    await place.run(['import', 'users', 'b.csv'])
    expect(await place.ids()).toEqual([1, 2, 4, 5])
    expect(await place.run(['import', 'users', 'b.csv', '--replace'])).toMatchObject({ status: 0 })
    expect(await place.ids()).toEqual([4, 5])
  })

  test('counts have separators', async () => {
    const rows = Array.from({ length: 1234 }, (_, index) => csvRow(index + 1))
    const { stdout } = await place.run(['import', 'users', '-', '--format', 'csv'], {}, csvFile(...rows))
    expect(stdout).toContain('Imported 1,234 users')
  })
})

describe('where it goes', () => {
  test('--database wins over DATABASE_URL, and that over .env', async () => {
    place.write('users.csv', two)
    place.write('.env', 'DATABASE_URL=sqlite:file.db\n')
    const env = { DATABASE_URL: 'sqlite:environment.db' }
    const made = () =>
      ['file', 'environment', 'flag', 'lookup'].filter((name) => existsSync(join(place.path, `${name}.db`)))
    await place.run(['import', 'users', 'users.csv', '--database', 'sqlite:flag.db'], { env })
    expect(made()).toEqual(['flag'])
    await place.run(['import', 'users', 'users.csv'], { env })
    expect(made()).toEqual(['environment', 'flag'])
    await place.run(['import', 'users', 'users.csv'])
    expect(made()).toEqual(['file', 'environment', 'flag'])
  })
})

describe('what is refused in one line, with nothing on stdout', () => {
  test.for([
    ['no-such.csv', [], 1, /^There is no file no-such\.csv\. Check the path\.\n$/],
    ['folder.csv', [], 1, /^folder\.csv is a folder\. Name a file in it\.\n$/],
    [
      'users.txt',
      [],
      2,
      /^Cannot tell the format of users\.txt by its name\. Add --format csv or jsonl\.\n$/,
    ],
    ['users', [], 2, /^Cannot tell the format of users by its name/],
    [
      'localhost:8080',
      ['--ids', '1-9'],
      2,
      /^--ids is for copies from an old service, and localhost:8080 is not its address\. Write it with http/,
    ],
    ['-', [], 2, /^Cannot tell the format of - by its name\. Add --format csv or jsonl\.\n$/],
    [
      'empty.csv',
      [],
      1,
      /^Import failed\. Nothing was changed\. empty\.csv, line 1: there is no header\. It must be id,username,/,
    ],
    [
      'users.csv',
      ['--database', 'sqlite:none/x.db'],
      1,
      /^Import failed\. Nothing was changed\. The database none\/x\.db cannot be used: unable to open database file\. .+\n$/,
    ],
    [
      'users.csv',
      ['--database', 'sqlite:users.csv'],
      1,
      /^Import failed\. Nothing was changed\. The database users\.csv cannot be used: file is not a database\.\n$/,
    ],
  ] as const)('%s %j', async ([file, flags, exit, message]) => {
    place.write('users.csv', csvFile(...Array.from({ length: 100 }, (_, index) => csvRow(index + 1))))
    place.write('users.txt', two)
    place.write('empty.csv', '')
    const { status, stdout, stderr } = await place.run(['import', 'users', file, ...flags])
    expect({ status, stdout }).toEqual({ status: exit, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('an import of apps as users', async () => {
    const { status, stderr } = await place.run(['import', 'users', sample.apps])
    expect(status).toBe(1)
    expect(stderr).toContain('line 1: there are no columns "title", "version"')
  })

  test('an endless input with a bad header ends at once', async () => {
    const child = startLookup(['import', 'users', '-', '--format', 'csv'], { cwd: place.path })
    child.stdin.on('error', () => {})
    child.stdin.write('a,b,c\n1,2,3\n')
    expect(await outcomeOf(child)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('there are no columns "a", "b", "c". Is the header missing?'),
    })
  })
})

test('a misspelt setting of the environment is named', async () => {
  const outcome = await place.run(['import', 'users', sample.users], { env: { DATABASE_REPLICAS: 'x' } })
  expect(outcome).toMatchObject({
    status: 0,
    stderr:
      'The environment variable DATABASE_REPLICAS is not a setting. Did you mean DATABASE_REPLICA_URLS?\n',
  })
})
