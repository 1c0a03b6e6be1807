// Imports and exports by the command line, over any database of ours.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { relations } from '../../../src/data/relations.ts'
import { csvFile, csvRow, type Workplace } from '../../kit/workplace.ts'

type Row = Readonly<Record<string, unknown>>

const MAX = Number.MAX_SAFE_INTEGER
const texts = [
  ...['', ' ', '"', '""', ',', '\\', '\\"', '\n', '\r\n', '\r', '\t', 'a\nb,"c"\r\n', '007', 'null'],
  ...['\u0001\u001b[31m\u007f\u009b', '\u2028\u2029\u0085', '\ufeff', '\ufffd\ufffe\uffff', 'e\u0301 é ﬀ İ'],
  ...[
    '👩‍🚀🇳🇴\u{10ffff}',
    '</script><!-- &amp; ]]>',
    `'; DROP TABLE users; --`,
    '%s $1 $&',
    'x'.repeat(1_000),
  ],
]
/** As long as names may be. */
const nameOf = (text: string) => text.slice(0, 256)
const hostile: Readonly<Record<'users' | 'apps', readonly Row[]>> = {
  users: texts.map((text, index) => ({
    id: index === 0 ? MAX : index,
    username: nameOf(`${index}${text.replace(/[:\p{Cc}]/gu, '')}`),
    chatId: text === '' ? null : nameOf(text),
    displayName: text,
    rank: index % 2 === 0 ? -(2 ** 31) : 2 ** 31 - 1,
    joinDate: index % 2 === 0 ? -MAX : MAX,
    isConfirmed: index % 2 === 0,
    banned: index % 3 === 0,
  })),
  apps: texts.map((text, index) => ({
    id: index === 0 ? MAX : index,
    title: text,
    version: '0.0.10',
    category: index % 2 === 0 ? -(2 ** 31) : 0,
    changelogLink: 'HTTPS://Apps.Example:8443/é?a=1&b="2"#,',
    downloadLink: `http://[::1]/星/${index === 0 ? MAX : index}/`,
  })),
}
const asJsonLines = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** RFC 4180, every cell in quotes. */
function asCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => names.map((name) => `"${String(row[name] ?? '').replaceAll('"', '""')}"`))
  return [names, ...lines].map((cells) => `${cells.join()}\r\n`).join('')
}

export function importSuite(make: () => Workplace): void {
  /** A folder to run commands in, whose database has the users 901 and 902. */
  async function makeFilled(): Promise<Workplace> {
    const place = make()
    onTestFinished(place.remove)
    place.write('old.csv', csvFile(csvRow(901), csvRow(902)))
    await place.importing('old.csv')
    return place
  }
  const importFrom = (place: Workplace, text: string, ...flags: string[]) => {
    place.write('rows.csv', text)
    return place.importing('rows.csv', ...flags)
  }

  test.for([[], ['--replace']])(
    'invalid rows are listed with their lines, and nothing goes in: %j',
    async (flags) => {
      const place = await makeFilled()
      const long = csvRow(5).replace('Name', 'n'.repeat(1_000))
      const rows = csvFile(csvRow(1), csvRow(2, { rank: 'x' }), csvRow(3), '4,ann', csvRow(0), long)
      expect(await importFrom(place, rows, ...flags)).toEqual({
        status: 1,
        stdout: '',
        stderr:
          'Import failed: 4 invalid rows in rows.csv. Nothing was changed.\n' +
          '  line 3: rank cannot be "x": it must be a 32-bit integer\n' +
          '  line 5: 2 cells, but the header has 7\n' +
          '  line 6: id cannot be "0": it must be an integer from 1 to 2^53-1\n' +
          '  line 7: displayName has 1,002 characters: shorten it to 1,000 or fewer\n' +
          'Fix them, or import the valid rows, and write the others to a new file, with --skip-invalid FILE.\n',
      })
      expect(await place.ids()).toEqual([901, 902])
    },
  )

  test('if no row is valid, --replace replaces none', async () => {
    const place = await makeFilled()
    const flags = ['--replace', '--skip-invalid', 'out.jsonl']
    const { status, stderr } = await importFrom(place, csvFile(csvRow(1, { rank: 'x' })), ...flags)
    expect(status).toBe(1)
    expect(stderr).toContain('no row is valid, so the existing rows were kept. The reasons are in out.jsonl.')
    expect(readFileSync(join(place.path, 'out.jsonl'), 'utf8')).toMatch(/^\{"line":2,"problem":"rank cannot/)
    expect(await place.ids()).toEqual([901, 902])
  })

  test('clashes are named by line; with --replace, old rows are no clash', async () => {
    const place = await makeFilled()
    const rows = [csvRow(1, { username: 'Ann' }), csvRow(1), csvRow(2, { username: 'ANN' }), csvRow(901)]
    const { status, stderr } = await importFrom(place, csvFile(...rows))
    expect(status).toBe(1)
    expect(stderr).toContain('\nThe database has users already: to replace them all, add --replace.\n')
    expect(stderr.match(/^ {2}line.*$/gm)).toEqual([
      '  line 3: another user has this id',
      '  line 4: another user has this username (case does not count)',
      '  line 5: another user has this id',
    ])
    expect(await place.ids()).toEqual([901, 902])
    expect(await importFrom(place, csvFile(csvRow(901)), '--replace')).toMatchObject({ status: 0 })
    expect(await place.ids()).toEqual([901])
  })

  test('--skip-invalid writes the invalid rows with the reason, and the rest goes in', async () => {
    const place = await makeFilled()
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

  test.for(['users', 'apps'] as const)('%s of hostile values come out as they went in', async (relation) => {
    const rows = hostile[relation]
    expect(Object.keys(rows[0] ?? {})).toEqual(relations[relation].columns.map(({ name }) => name))
    const place = make()
    onTestFinished(place.remove)
    async function reimported(format: string, content: string, database: string): Promise<string> {
      const flags = ['--database', await place.urlOf(database)]
      const result = await place.run(['import', relation, '-', '--format', format, ...flags], {}, content)
      expect(result.status).toBe(0)
      return (await place.run(['export', relation, ...flags])).stdout
    }
    const inOrder = asJsonLines(rows.toSorted((a, b) => Number(a.id) - Number(b.id)))
    expect(await reimported('csv', asCsv(rows), 'a.db')).toBe(inOrder)
    expect(await reimported('jsonl', asJsonLines(rows), 'b.db')).toBe(inOrder)
  })
}
