// `lookup import`: what it reads, where it goes, and what it refuses.

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { sample } from '../../kit/gateway.ts'
import { entry, outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { test } from '../../kit/test.ts'
import { csvFile, csvRow, makeWorkplace } from '../../kit/workplace.ts'
import { importSuite } from './import-suite.ts'

importSuite(makeWorkplace)

const two = csvFile(csvRow(1), csvRow(2))
const bad = csvFile(csvRow(1), csvRow(2, { rank: 'x' }))
const jsonl =
  '{"id":3,"username":"three","displayName":"","rank":1,"joinDate":2,"isConfirmed":true,"banned":false}\n'

describe('what goes in', () => {
  test.for([
    ['a.csv', two, [], [1, 2]],
    ['USERS.CSV', two, [], [1, 2]],
    ['my.users.csv', two, [], [1, 2]],
    ...['a.jsonl', 'a.ndjson', 'a.JSONL', 'a.json'].map((name) => [name, jsonl, [], [3]] as const),
    ['odd.csv', jsonl, ['--format', 'jsonl'], [3]],
    ['empty rows.csv', two.replace('\n', '\n,,,,,,\n') + ',,,,,,\n'.repeat(9), [], [1, 2]],
    ['a header alone.csv', csvFile(), [], []],
    ['tabs.tsv', two.replaceAll(',', '\t'), [], [1, 2]],
    ['tilde.csv', two.replaceAll(',', '~'), ['--delimiter', '~'], [1, 2]],
    ['tab.csv', two.replaceAll(',', '\t'), ['--delimiter', 'tab'], [1, 2]],
    ['more.csv', two.replace('id', 'e-mail,id').replace(/\n(?=.)/g, '\nx,'), ['--ignore-columns'], [1, 2]],
    ['more.jsonl', jsonl.replace('{', '{"e-mail":[],"x":1,'), ['--ignore-columns', 'E-Mail,x'], [3]],
    ['Windows rows.csv', csvFile(`${csvRow(1)}\r`, csvRow(2)), [], [1, 2]],
  ] as const)('%s', async ([name, content, flags, ids], { place }) => {
    place.write(name, content)
    const said = new RegExp(`^Imported ${ids.length} users? in \\d+\\.\\d s\\.\\n$`)
    const outcome = await place.importing(name, ...flags)
    expect(outcome).toEqual({ status: 0, stdout: expect.stringMatching(said), stderr: '' })
    expect(await place.ids()).toEqual(ids)
    expect((await place.run(['export', 'users'])).stdout).not.toContain('\\r')
  })

  test.for([
    ['csv', two, [1, 2]],
    ['jsonl', jsonl, [3]],
  ] as const)('standard input with --format %s', async ([format, input, ids], { place }) => {
    const outcome = await place.run(['import', 'users', '-', '--format', format], {}, input)
    expect(outcome).toMatchObject({ status: 0, stderr: '' })
    expect(await place.ids()).toEqual(ids)
  })

  test('both samples', async ({ place }) => {
    await place.importing(sample.users)
    const apps = await place.run(['import', 'apps', sample.apps])
    expect(apps).toMatchObject({ status: 0, stdout: expect.stringContaining('Imported 7 apps') })
    expect([(await place.ids('users')).length, (await place.ids('apps')).length]).toEqual([14, 7])
  })

  test('rows are added, and with --replace they take the place of the old ones', async ({ place }) => {
    place.write('a.csv', two)
    place.write('b.csv', csvFile(csvRow(5), csvRow(4)))
    await place.importing('a.csv')
    await place.importing('b.csv')
    expect(await place.ids()).toEqual([1, 2, 4, 5])
    await place.importing('b.csv', '--replace')
    expect(await place.ids()).toEqual([4, 5])
  })

  test('counts have separators', async ({ place }) => {
    const rows = Array.from({ length: 1234 }, (_, index) => csvRow(index + 1))
    expect((await place.fromInput(csvFile(...rows))).stdout).toContain('Imported 1,234 users')
  })
})

describe('what is refused in one line, with nothing on stdout', () => {
  const cannotTell = 'by its name. Add --format csv or jsonl.'
  const array = 'the file is a JSON array. Make JSON Lines of it: jq -c ".[]" FILE > FILE.jsonl.'
  const copies = 'is for copies from an old service, and'
  const unusable = 'Import failed. Nothing was changed. The database'
  const utf16 = Buffer.from(`\ufeff${two}`, 'utf16le')
  test.for<[file: string, flags: string, status: number, says: string, content?: string | Buffer]>([
    ['no-such.csv', '', 1, 'There is no file no-such.csv. Check the path.'],
    ['folder.csv', '', 1, 'folder.csv is a folder. Name a file in it.'],
    ['users.txt', '', 2, `Cannot tell the format of users.txt ${cannotTell}`, two],
    ['users', '', 2, `Cannot tell the format of users ${cannotTell}`],
    ['-', '', 2, `Cannot tell the format of - ${cannotTell}`],
    ['empty.csv', '', 1, 'empty.csv, line 1: there is no header. It must be id,username,', ''],
    ['users.csv', '--database sqlite:no/x.db', 1, `${unusable} no/x.db cannot be used: unable to open`],
    [
      'users.csv',
      '--database sqlite:users.csv',
      1,
      `${unusable} users.csv cannot be used: file is not a data`,
    ],
    ['gz.csv', '', 1, 'line 1: the file is compressed by gzip: run gzip -dc FILE |', gzipSync(two)],
    ['wide.csv', '', 1, 'line 1: the file is in UTF-16: save', utf16],
    ['small.jsonl', '', 1, `small.jsonl, line 1: ${array}`, '[{"id":1}]'],
    ['blank.jsonl', '', 1, array, '\n\n[{"id":1}]'],
    ['bom.jsonl', '', 1, array, '\ufeff\n [\n{"id":1}\n]\n'],
    ['large.jsonl', '', 1, array, `[${'{"id":1},'.repeat(2 ** 18)}{}]`],
    ['users.csv', '--rate 3', 2, `--rate ${copies} users.csv is not its address. `],
    ['users.csv', '--header X:y', 2, `--header ${copies} users.csv is not its address. `],
    ['users.csv', '--ids 1-5', 2, `--ids ${copies} users.csv is not its address. `],
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

  test('an endless input with a bad header ends at once', async ({ place }) => {
    const child = startLookup(['import', 'users', '-', '--format', 'csv'], { cwd: place.path })
    child.stdin.write('a,b,c\n1,2,3\n')
    const stderr = expect.stringContaining('there are no columns "a", "b", "c". Is the header missing?')
    expect(await outcomeOf(child)).toMatchObject({ status: 1, stderr })
  })

  test.for([
    [1, 1, null],
    [20, 20, null],
    [21, 20, '  … and 1 more'],
    [1300, 20, '  … and 1,280 more'],
  ] as const)('of %i invalid rows %i are listed', async ([count, listed, more], { place }) => {
    const rows = Array.from({ length: count }, (_, index) => csvRow(index + 1, { rank: 'x' }))
    const { status, stderr } = await place.fromInput(csvFile(...rows))
    expect(status).toBe(1)
    const lines = stderr.split('\n')
    expect(lines[0]).toMatch(count === 1 ? /: 1 invalid row in -\./ : /: [\d,]+ invalid rows in -\./)
    expect(lines.filter((line) => /^ {2}line \d+: rank /.test(line))).toHaveLength(listed)
    expect(lines.find((line) => line.includes('more')) ?? null).toBe(more)
  })

  test('all bad cells of a row are listed', async ({ place }) => {
    const { stderr } = await place.fromInput(csvFile(`1,ann,Ann,x,${'y'.repeat(100)},true,on`))
    expect(stderr).toContain(
      `  line 2: rank cannot be "x": it must be a 32-bit integer; joinDate cannot be "${'y'.repeat(60)}…": it must be an ` +
        'integer between -(2^53-1) and 2^53-1; banned cannot be "on": it must be true, false, 1 or 0\n',
    )
  })
})

describe('rejects', () => {
  const filled = test.extend('into', async ({ place }) => {
    place.write('old.csv', csvFile(csvRow(901)))
    await place.importing('old.csv')
    place.write('bad.csv', bad)
    return (name: string, file = 'bad.csv') => place.importing(file, '--replace', '--skip-invalid', name)
  })
  const isList =
    ' exists, and is no list of rejects. Name a new file with --skip-invalid: invalid rows are written to it.\n'

  filled.for<[name: string, status: number, says: RegExp]>([
    ['/dev/full', 1, /ENOSPC: .*\. Free space there, or name another file with --skip-invalid\.\n$/],
    ['folder.csv', 1, /EISDIR: .*\. Name another file with --skip-invalid\.\n$/],
    ['none/r.jsonl', 1, /ENOENT: .*\. Name another file with --skip-invalid\.\n$/],
    ['/proc/version', 1, /E(?:ACCES|IO|PERM): .*\. Name another file with --skip-invalid\.\n$/],
    ['./lookup.db', 2, /lookup\.db/],
    ['bad.csv', 2, /bad\.csv/],
    ['./bad.csv', 2, /bad\.csv/],
  ])('are not written to %s, and nothing is imported', async ([name, expected, says], { place, into }) => {
    const { status, stdout, stderr } = await into(name)
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' })
    expect(stderr).toMatch(says)
    if (status === 1)
      expect(stderr).toContain(`Nothing was changed. The rejects cannot be written to ${name}: `)
    expect(await place.ids()).toEqual([901])
    expect(readFileSync(join(place.path, 'bad.csv'), 'utf8')).toBe(bad)
  })

  filled.for([
    ['a table', two],
    ['JSON Lines of users', '{"id":1,"username":"a"}\n'],
    ['a text', 'notes\n'],
  ])('do not take the place of %s', async ([, text = ''], { place, into }) => {
    place.write('mine', text)
    expect(await into('mine')).toEqual({ status: 2, stdout: '', stderr: `mine${isList}` })
    expect(readFileSync(join(place.path, 'mine'), 'utf8')).toBe(text)
  })

  const read = (folder: string) => readFileSync(join(folder, 'rejects.jsonl'), 'utf8')
  filled('take the place of those of an earlier import', async ({ place, into }) => {
    for (const _again of [1, 2]) expect(await into('rejects.jsonl')).toMatchObject({ status: 0 })
    expect(read(place.path).trimEnd().split('\n')).toHaveLength(1)
    expect(await into('rejects.jsonl', 'old.csv')).toMatchObject({ status: 0 })
    expect(read(place.path)).toBe('')
  })

  filled('of JSON Lines keep the line as it is', async ({ place, into }) => {
    place.write('mixed.jsonl', '{"id": 1}\nnonsense "\n')
    await into('rejects.jsonl', 'mixed.jsonl')
    const rows = read(place.path).trimEnd().split('\n')
    expect(rows.map((line) => JSON.parse(line).row)).toEqual(['{"id": 1}', 'nonsense "'])
  })

  filled('are not left in part if the import breaks off', async ({ place, into }) => {
    const rows = csvFile(...Array(2_000).fill(csvRow(2, { rank: 'x' })))
    place.write('open.csv', `${rows}1,"${'x'.repeat(2 ** 21)}`)
    const { status, stderr } = await into('rejects.jsonl', 'open.csv')
    expect({ status, rejects: read(place.path) }).toEqual({ status: 1, rejects: '' })
    expect(stderr).toMatch(/^Import failed\. Nothing was changed\. open\.csv, line 2002: /m)
  })

  // Either it works, or it is refused; the old rows are never exchanged for nothing.
  filled('of a path that can be read only once are not read again as empty', async ({ place, into }) => {
    place.write('mixed.jsonl', `${jsonl}{}\n`)
    const command = `cat mixed.jsonl | "$0" "$1" import users /dev/stdin --format jsonl --replace --skip-invalid r.jsonl`
    const options = { cwd: place.path, timeout: 60_000 }
    const run = promisify(execFile)('sh', ['-c', command, process.execPath, entry], options)
    const isImported = await run.then(
      () => true,
      () => false,
    )
    expect([into.length, await place.ids()]).toEqual([1, isImported ? [3] : [901]])
  })
})
