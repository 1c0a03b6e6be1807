import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { entry } from '../../kit/run-lookup.ts'
import { csvFile, csvRow, databaseKinds, makeFilledWorkplace, type Workplace } from '../../kit/workplace.ts'

describe.each(databaseKinds())('over %s', (kind) => {
  let place: Workplace
  beforeEach(async () => {
    place = await makeFilledWorkplace(kind)
  })
  afterEach(() => place.remove())

  const read = (name: string) => readFileSync(join(place.path, name), 'utf8')

  describe('--skip-invalid', () => {
    const mixed = csvFile(csvRow(1), csvRow(2, { rank: 'x' }), csvRow(3), csvRow(1), '5,"a,b"\n', csvRow(901))

    test.for(['file', 'input'])(
      'writes the invalid rows with the reason, and the rest goes in, from a %s',
      async (origin) => {
        place.write('mixed.csv', mixed)
        const flags = ['--skip-invalid', 'rejects.jsonl']
        expect(
          await (origin === 'file'
            ? place.importing('mixed.csv', ...flags)
            : place.fromInput(mixed, ...flags)),
        ).toEqual({
          status: 0,
          stdout: expect.stringMatching(
            /^Imported 2 users in \d+\.\d s\.\nSkipped 4 invalid rows\. The reasons are in rejects\.jsonl\.\n$/,
          ),
          stderr: '',
        })
        expect(await place.ids()).toEqual([1, 3, 901, 902])
        const rejects = read('rejects.jsonl').trimEnd().split('\n')
        expect(rejects.map((line) => JSON.parse(line))).toEqual([
          {
            line: 3,
            problem: 'rank cannot be "x": it must be a 32-bit integer',
            row: ['2', 'user 2', 'Name 2', 'x', '1002', 'true', 'false'],
          },
          { line: 5, problem: 'another user has this id', row: expect.arrayContaining(['1']) },
          { line: 6, problem: '2 cells, but the header has 7', row: ['5', 'a,b'] },
          { line: 8, problem: 'another user has this id', row: expect.arrayContaining(['901']) },
        ])
      },
    )

    test('of JSON Lines keeps the line as it is', async () => {
      place.write('mixed.jsonl', '{"id": 1}\nnonsense "\n')
      await place.importing('mixed.jsonl', '--skip-invalid', 'rejects.jsonl')
      const rows = read('rejects.jsonl')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).row)
      expect(rows).toEqual(['{"id": 1}', 'nonsense "'])
    })

    test('leaves no rejects of an earlier import behind', async () => {
      place.write('rejects.jsonl', '{"line":1,"problem":"of yesterday","row":""}\n')
      place.write('good.csv', csvFile(csvRow(1)))
      expect(await place.importing('good.csv', '--skip-invalid', 'rejects.jsonl')).toMatchObject({
        status: 0,
      })
      expect(existsSync(join(place.path, 'rejects.jsonl')) ? read('rejects.jsonl') : '').toBe('')
    })

    test('that cannot be written stops the import', async () => {
      place.write('mixed.csv', mixed)
      const { status, stdout, stderr } = await place.importing(
        'mixed.csv',
        '--skip-invalid',
        'none/rejects.jsonl',
      )
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toContain('none/rejects.jsonl')
      expect(await place.ids()).toEqual([901, 902])
    })

    test.for(['mixed.csv', './mixed.csv'])('never writes over the file it reads, named %s', async (name) => {
      place.write('mixed.csv', mixed)
      const { status, stderr } = await place.importing('mixed.csv', '--skip-invalid', name)
      expect(read('mixed.csv')).toBe(mixed)
      expect(status).toBe(2)
      expect(stderr).toContain('mixed.csv')
    })
  })

  test('a path that can be read only once is not read as empty', async () => {
    place.write(
      'mixed.jsonl',
      '{"id":1,"username":"a","displayName":"","rank":1,"joinDate":1,"isConfirmed":1,"banned":0}\n{}\n',
    )
    const command = `cat mixed.jsonl | "$0" "$1" import users /dev/stdin --format jsonl --replace --skip-invalid rejects.jsonl`
    const run = promisify(execFile)('sh', ['-c', command, process.execPath, entry], {
      cwd: place.path,
      env: { ...process.env, DATABASE_URL: await place.urlOf('lookup.db') },
      timeout: 10_000,
    })
    const imported = await run.then(
      () => true,
      () => false,
    )
    // Either it works, or it is refused; the old rows are never exchanged for nothing.
    expect(await place.ids()).toEqual(imported ? [1] : [901, 902])
  })
})
