import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { csvFile, csvRow, databaseKinds, makeFilledWorkplace, type Workplace } from '../../kit/workplace.ts'

describe.each(databaseKinds())('over %s', (kind) => {
  let place: Workplace
  beforeEach(async () => {
    place = await makeFilledWorkplace(kind)
  })
  afterEach(() => place.remove())

  describe('invalid rows', () => {
    const badRows = (count: number) =>
      Array.from({ length: count }, (_, index) => csvRow(index + 1, { rank: 'x' }))

    test('are listed with their lines, and nothing goes in', async () => {
      place.write('bad.csv', csvFile(csvRow(1), csvRow(2, { rank: 'x' }), csvRow(3), '4,ann', csvRow(0)))
      for (const flags of [[], ['--replace']]) {
        expect(await place.importing('bad.csv', ...flags)).toEqual({
          status: 1,
          stdout: '',
          stderr:
            'Import failed: 3 invalid rows in bad.csv. Nothing was changed.\n' +
            '  line 3: rank cannot be "x": it must be a 32-bit integer\n' +
            '  line 5: 2 cells, but the header has 7\n' +
            '  line 6: id cannot be "0": it must be an integer from 1 to 2^53-1\n' +
            'Fix them, or import the valid rows, and write the others to a new file, with --skip-invalid FILE.\n',
        })
        expect(await place.ids()).toEqual([901, 902])
      }
    })

    test.for([
      [
        'gz.csv',
        gzipSync(csvFile(csvRow(1))),
        /line 1: the file is compressed by gzip: run gzip -dc FILE \|/,
      ],
      [
        'wide.csv',
        Buffer.from(`\ufeff${csvFile(csvRow(1))}`, 'utf16le'),
        /line 1: the file is in UTF-16: save/,
      ],
    ] as const)('%s is in another form', async ([name, bytes, says]) => {
      writeFileSync(join(place.path, name), bytes)
      expect(await place.importing(name)).toMatchObject({ status: 1, stderr: expect.stringMatching(says) })
    })

    const array = 'line 1: the file is a JSON array. Make JSON Lines of it: jq -c ".[]" FILE > FILE.jsonl.\n'
    test.for([
      ['small', '[{"id":1}]'],
      ['after blank lines', '\n\n[{"id":1}]'],
      ['of many lines', '\ufeff\n [\n{"id":1}\n]\n'],
      ['in one line of 2 MiB', `[${'{"id":1},'.repeat(2 ** 18)}{}]`],
    ] as const)('a JSON array, %s, is told from JSON Lines', async ([, text]) => {
      place.write('rows.jsonl', text)
      const refused = { status: 1, stderr: `Import failed. Nothing was changed. rows.jsonl, ${array}` }
      expect(await place.importing('rows.jsonl')).toMatchObject(refused)
    })

    test('all bad cells of a row are listed', async () => {
      place.write('bad.csv', csvFile(`1,ann,Ann,x,${'y'.repeat(100)},true,no`))
      const { stderr } = await place.importing('bad.csv')
      expect(stderr).toContain(
        `  line 2: rank cannot be "x": it must be a 32-bit integer; joinDate cannot be "${'y'.repeat(60)}…": it must be an ` +
          'integer between -(2^53-1) and 2^53-1; banned cannot be "no": it must be true, false, 1 or 0\n',
      )
    })

    test('are listed with --replace, too, where no row is valid', async () => {
      place.write('bad.csv', csvFile(csvRow(1, { rank: 'x' })))
      expect(await place.importing('bad.csv', '--replace')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(
          /^Import failed: 1 invalid row in bad\.csv\. Nothing was changed\.\n {2}line 2: rank cannot/,
        ),
      })
      expect(await place.importing('bad.csv', '--replace', '--skip-invalid', 'out.jsonl')).toEqual({
        status: 1,
        stdout: '',
        stderr:
          'Import failed. Nothing was changed. bad.csv, line 1: no row is valid, so the existing rows were kept. The reasons are in out.jsonl.\n',
      })
      expect(readFileSync(join(place.path, 'out.jsonl'), 'utf8')).toMatch(
        /^\{"line":2,"problem":"rank cannot/,
      )
      expect(await place.ids()).toEqual([901, 902])
    })

    test.for([
      [20, null],
      [21, '  … and 1 more'],
      [1300, '  … and 1,280 more'],
    ] as const)('%i of them: twenty are listed', async ([count, more]) => {
      const { status, stderr } = await place.fromInput(csvFile(...badRows(count)))
      expect(status).toBe(1)
      const lines = stderr.split('\n')
      expect(lines.filter((line) => /^ {2}line \d+: rank /.test(line))).toHaveLength(20)
      expect(lines[20]).toMatch(/^ {2}line 21: /)
      expect(lines.find((line) => line.includes('more')) ?? null).toBe(more)
    })

    test('one alone is called a row', async () => {
      const { stderr } = await place.fromInput(csvFile(...badRows(1)))
      expect(stderr).toMatch(/^Import failed: 1 invalid row in -\. Nothing was changed\.\n/)
    })

    test.for(['file', 'input'])('clashes are named by line, from a %s', async (origin) => {
      const text = csvFile(
        csvRow(1, { username: 'Ann' }),
        csvRow(1),
        csvRow(2, { username: 'ANN' }),
        csvRow(901),
      )
      place.write('clash.csv', text)
      const { status, stderr } = await (origin === 'file'
        ? place.importing('clash.csv')
        : place.fromInput(text))
      expect(status).toBe(1)
      expect(stderr.match(/^ {2}line.*$/gm)).toEqual([
        '  line 3: another user has this id',
        '  line 4: another user has this username (case does not count)',
        '  line 5: another user has this id',
      ])
      expect(await place.ids()).toEqual([901, 902])
    })

    test('with --replace, old rows are no clash', async () => {
      place.write('again.csv', csvFile(csvRow(901)))
      const advice = 'The database has users already: to replace them all, add --replace.\n'
      expect(await place.importing('again.csv')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(new RegExp(`\n${advice}Fix it, or .* --skip-invalid FILE\\.\n$`)),
      })
      expect(await place.importing('again.csv', '--replace')).toMatchObject({ status: 0 })
      expect(await place.ids()).toEqual([901])
    })

    test('a file that cannot be read to its end leaves all as it was', async () => {
      place.write(
        'open.csv',
        csvFile(csvRow(1), `2,"open`, ...Array.from({ length: 40_000 }, (_, at) => csvRow(at + 3))),
      )
      const { status, stderr } = await place.importing(
        'open.csv',
        '--replace',
        '--skip-invalid',
        'rejects.jsonl',
      )
      expect(status).toBe(1)
      expect(stderr).toMatch(/^Import failed\. Nothing was changed\. open\.csv, line 3: .*quote/)
      expect(await place.ids()).toEqual([901, 902])
    })
  })
})
