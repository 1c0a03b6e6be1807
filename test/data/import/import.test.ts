// `lookup import`: what it reads, where it goes, and what it refuses.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { sample } from '../../kit/gateway.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { test } from '../../kit/test.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { importSuite } from './import-suite.ts'

importSuite(makeWorkplace)

const two = csvFile(csvRow(1), csvRow(2))
const bad = csvFile(csvRow(1), csvRow(2, { rank: 'x' }))
const jsonl =
  '{"id":3,"username":"three","displayName":"","rank":1,"joinDate":2,"isConfirmed":true,"banned":false}\n'

test.for([
  ['a.csv', two, [], [1, 2]],
  ['my.USERS.CSV', two, [], [1, 2]],
  ...['a.jsonl', 'a.ndjson', 'a.JSONL', 'a.json'].map((name) => [name, jsonl, [], [3]] as const),
  ['odd.csv', jsonl, ['--format', 'jsonl'], [3]],
  ['empty rows.csv', two.replace('\n', '\n,,,,,,\n') + ',,,,,,\n'.repeat(9), [], [1, 2]],
  ['an empty column.csv', two.replace(/\n/g, ',\n'), [], [1, 2]],
  ['a header alone.csv', csvFile(), [], []],
  ['tabs.tsv', two.replaceAll(',', '\t'), [], [1, 2]],
  ['tilde.csv', two.replaceAll(',', '~'), ['--delimiter', '~'], [1, 2]],
  ['tab.csv', two.replaceAll(',', '\t'), ['--delimiter', 'tab'], [1, 2]],
  ['more.csv', two.replace('id', 'e-mail,id').replace(/\n(?=.)/g, '\nx,'), ['--ignore-columns'], [1, 2]],
  ['snake.jsonl', jsonl.replace('displayName', 'display_name'), [], [3]],
  ['more.jsonl', jsonl.replace('{', '{"e-mail":[],"x":1,'), ['--ignore-columns', 'E-Mail, x'], [3]],
  ['Windows rows.csv', csvFile(`${csvRow(1)}\r`, csvRow(2)), [], [1, 2]],
] as const)('%s is imported', async ([name, content, flags, ids], { place }) => {
  place.write(name, content)
  const said = new RegExp(`^Imported ${ids.length} users? in \\d+\\.\\d s\\.\\n$`)
  const outcome = await place.importing(name, ...flags)
  expect(outcome).toEqual({ status: 0, stdout: expect.stringMatching(said), stderr: '' })
  expect(await place.ids()).toEqual(ids)
  expect((await place.run(['export', 'users'])).stdout).not.toContain('\\r')
})

test('rows are added, and with --replace they take the place of the old ones', async ({ place }) => {
  place.write('b.csv', csvFile(csvRow(5), csvRow(4)))
  await place.fromInput(two)
  await place.importing('b.csv')
  expect(await place.ids()).toEqual([1, 2, 4, 5])
  await place.importing('b.csv', '--replace')
  expect(await place.ids()).toEqual([4, 5])
  const apps = await place.run(['import', 'apps', '-', '--format', 'jsonl'], {}, readFileSync(sample.apps))
  expect(apps).toMatchObject({ status: 0, stdout: expect.stringContaining('Imported 7 apps') })
})

describe('is refused in one line, with nothing on stdout:', () => {
  const cannotTell = 'by its name. Add --format csv or jsonl.'
  const array = 'line 1: the file is a JSON array. Make JSON Lines of it: jq -c ".[]" FILE > FILE.jsonl.'
  const copies = 'is for copies from an old service, and'
  const unusable = 'Import failed. Nothing was changed. The database'
  const utf16 = Buffer.from(`\ufeff${two}`, 'utf16le')
  test.for<[file: string, flags: string, status: number, says: string, content?: string | Buffer]>([
    ['no-such.csv', '', 1, 'There is no file no-such.csv. Check the path.'],
    ['folder.csv', '', 1, 'folder.csv is a folder. Name a file in it.'],
    ['users.txt', '', 2, `Cannot tell the format of users.txt ${cannotTell}`, two],
    ['-', '', 2, `Cannot tell the format of - ${cannotTell}`],
    ['empty.csv', '', 1, 'empty.csv, line 1: there is no header. It must be id,username,', ''],
    ['users.csv', '--database sqlite:no/x.db', 1, `${unusable} no/x.db cannot be used: unable to open`],
    ['users.csv', '--database sqlite:users.csv', 1, `${unusable} users.csv cannot be used: file is not a`],
    ['gz.csv', '', 1, 'line 1: the file is compressed by gzip: run gzip -dc FILE |', gzipSync(two)],
    ['wide.csv', '', 1, 'line 1: the file is in UTF-16: save', utf16],
    ['bom.jsonl', '', 1, `bom.jsonl, ${array}`, '\ufeff\n [\n{"id":1}\n]\n'],
    ['large.jsonl', '', 1, array, `[${'{"id":1},'.repeat(2 ** 18)}{}]`],
    ['users.csv', '--rate 3', 2, `--rate ${copies} users.csv is not its address. `],
    ['users.csv', '--header X:y', 2, `--header ${copies} users.csv is not its address. `],
    ['localhost:80', '--ids 1-9', 2, `--ids ${copies} localhost:80 is not its address. Write it with http`],
    ['http://127.0.0.1:1/', '--format csv', 2, '--format is for files. Leave it out for an old service.'],
    ['http://127.0.0.1:1/', '--ids 1 --ignore-columns', 2, '--ignore-columns is for files. Leave it out'],
    ['users.csv', '--delimiter ;;', 2, '--delimiter cannot be ";;". Use one character, such as ";", or tab.'],
    ['users.csv', '--delimiter "', 2, '. Use one character, such as ";", or tab.'],
    ['users.csv', '--delimiter ;', 1, 'users.csv, line 1: there is no column "id,username,'],
    ['a.jsonl', '--delimiter ;', 2, '--delimiter is for CSV. Leave it out for JSON Lines.', jsonl],
  ])('%s %s', async ([file, flags, status, says, content], { place }) => {
    place.write('users.csv', csvFile(...Array.from({ length: 100 }, (_, index) => csvRow(index + 1))))
    if (content !== undefined) place.write(file, content)
    const outcome = await place.importing(file, ...flags.split(' ').filter((flag) => flag !== ''))
    expect(outcome).toEqual({ status, stdout: '', stderr: expect.stringContaining(says) })
    expect(outcome.stderr).toMatch(/^.+\n$/)
    // A failed import leaves no new database behind.
    expect(existsSync(join(place.path, 'lookup.db'))).toBe(false)
  })
})

test('an endless input with a bad header ends at once', async ({ place }) => {
  const child = startLookup(['import', 'users', '-', '--format', 'csv'], { cwd: place.path })
  child.stdin.write('a,b,c\n1,2,3\n')
  const stderr = expect.stringContaining('there are no columns "a", "b", "c"')
  expect(await outcomeOf(child)).toMatchObject({ status: 1, stderr })
})

test('of many invalid rows the first 20 are listed', async ({ place }) => {
  const rows = Array.from({ length: 1300 }, (_, index) => csvRow(index + 1, { rank: 'x' }))
  const { status, stderr } = await place.fromInput(csvFile(...rows))
  expect(status).toBe(1)
  expect(stderr).toMatch(/^(?:users: .*\n)*Import failed: 1,300 invalid rows in -\./)
  expect(stderr.match(/^ {2}line \d+: rank /gm)).toHaveLength(20)
  expect(stderr).toContain('\n  … and 1,280 more\n')
})

/** The users 901 and 902. */
const fillOld = (place: Workplace) => place.fromInput(csvFile(csvRow(901), csvRow(902)))
test.for([[], ['--replace']])(
  'invalid rows are listed with their lines, and nothing goes in: %j',
  async (flags, { place }) => {
    await fillOld(place)
    const long = csvRow(5).replace('Name', 'n'.repeat(1_000))
    const rows = csvFile(csvRow(1), csvRow(2, { rank: 'x' }), csvRow(3), '4,ann', csvRow(0), long)
    expect(await place.fromInput(rows, ...flags)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Import failed: 4 invalid rows in -. Nothing was changed.\n' +
        '  line 3: rank cannot be "x": it must be a 32-bit integer\n' +
        '  line 5: 2 cells, but the header has 7\n' +
        '  line 6: id cannot be "0": it must be an integer from 1 to 2^53-1\n' +
        '  line 7: displayName has 1,002 characters: shorten it to 1,000 or fewer\n' +
        'Fix them, or import the valid rows, and write the others to a new file, with --skip-invalid FILE.\n',
    })
    expect(await place.ids()).toEqual([901, 902])
  },
)

test('if no row is valid, --replace replaces none', async ({ place }) => {
  await fillOld(place)
  const flags = ['--replace', '--skip-invalid', 'out.jsonl']
  const { status, stderr } = await place.fromInput(csvFile(csvRow(1, { rank: 'x' })), ...flags)
  expect(status).toBe(1)
  expect(stderr).toContain('no row is valid, so the existing rows were kept. The reasons are in out.jsonl.')
  expect(readFileSync(join(place.path, 'out.jsonl'), 'utf8')).toMatch(/^\{"line":2,"problem":"rank cannot/)
  expect(await place.ids()).toEqual([901, 902])
})

test('clashes are named by line; with --replace, old rows are no clash', async ({ place }) => {
  await fillOld(place)
  const rows = [csvRow(1, { username: 'Ann' }), csvRow(1), csvRow(2, { username: 'ANN' }), csvRow(901)]
  const { status, stderr } = await place.fromInput(csvFile(...rows))
  expect(status).toBe(1)
  expect(stderr).toContain('\nThe database has users already: to replace them all, add --replace.\n')
  expect(stderr.match(/^ {2}line.*$/gm)).toEqual([
    '  line 3: another user has this id',
    '  line 4: another user has this username (case does not count)',
    '  line 5: another user has this id',
  ])
  expect(await place.ids()).toEqual([901, 902])
  expect(await place.fromInput(csvFile(csvRow(901)), '--replace')).toMatchObject({ status: 0 })
  expect(await place.ids()).toEqual([901])
})

test('--skip-invalid writes the invalid rows with the reason, and the rest goes in', async ({ place }) => {
  await fillOld(place)
  const bad = csvRow(2, { rank: 'x' })
  const rows = csvFile(csvRow(1), bad, csvRow(3), csvRow(1), '5,"a,b"\n', csvRow(901))
  expect(await place.fromInput(rows, '--skip-invalid', 'rejects.jsonl')).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^Imported 2 users in \d+\.\d s\.\nSkipped 4 invalid rows\. The reasons are in rejects\.jsonl\.\n$/,
    ),
    stderr: '',
  })
  expect(await place.ids()).toEqual([1, 3, 901, 902])
  const rejects = readFileSync(join(place.path, 'rejects.jsonl'), 'utf8').trimEnd().split('\n')
  expect(rejects.map((line) => JSON.parse(line))).toEqual([
    { line: 3, problem: 'rank cannot be "x": it must be a 32-bit integer', row: bad.split(',') },
    { line: 5, problem: 'another user has this id', row: expect.arrayContaining(['1']) },
    { line: 6, problem: '2 cells, but the header has 7', row: ['5', 'a,b'] },
    { line: 8, problem: 'another user has this id', row: expect.arrayContaining(['901']) },
  ])
})

describe('rejects', () => {
  const filled = test.extend('into', async ({ place }) => {
    place.write('old.csv', csvFile(csvRow(901)))
    await place.importing('old.csv')
    place.write('bad.csv', bad)
    return (name: string, file = 'bad.csv') => place.importing(file, '--replace', '--skip-invalid', name)
  })

  filled.for<[name: string, status: number, says: RegExp]>([
    ['/dev/full', 1, /The rejects cannot be written to \/dev\/full: ENOSPC: .*\. Name another file with --/],
    ['folder.csv', 1, /The rejects cannot be written to folder\.csv: EISDIR: /],
    ['none/r.jsonl', 1, /The rejects cannot be written to none\/r\.jsonl: ENOENT: /],
    ['./lookup.db', 2, /lookup\.db/],
    ['./bad.csv', 2, /bad\.csv/],
    ['a table', 2, /^a table exists, and is no list of rejects\. Name a new file with --skip-invalid: .*\n$/],
  ])('are not written to %s, and nothing is imported', async ([name, expected, says], { place, into }) => {
    place.write('a table', two)
    const { status, stdout, stderr } = await into(name)
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' })
    expect(stderr).toMatch(says)
    expect(await place.ids()).toEqual([901])
    const read = (file: string) => readFileSync(join(place.path, file), 'utf8')
    expect([read('bad.csv'), read('a table')]).toEqual([bad, two])
  })

  const read = (folder: string) => readFileSync(join(folder, 'rejects.jsonl'), 'utf8')
  filled('take the place of those of an earlier import', async ({ place, into }) => {
    for (const _again of [1, 2]) expect(await into('rejects.jsonl')).toMatchObject({ status: 0 })
    expect(read(place.path).trimEnd().split('\n')).toHaveLength(1)
    expect(await into('rejects.jsonl', 'old.csv')).toMatchObject({ status: 0 })
    expect(read(place.path)).toBe('')
  })

  filled('of JSON Lines have the line as it is', async ({ place, into }) => {
    place.write('mixed.jsonl', `{"id": 1}\nnonsense "\n${jsonl}`)
    await into('rejects.jsonl', 'mixed.jsonl')
    const rows = read(place.path).trimEnd().split('\n')
    expect(rows.map((line) => JSON.parse(line).row)).toEqual(['{"id": 1}', 'nonsense "'])
    expect(await place.ids()).toEqual([3])
  })
})
