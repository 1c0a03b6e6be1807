import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generate } from '../../../bench/generate.ts'
import { databaseKinds, makeWorkplace, type Workplace } from '../../kit/workplace.ts'

const ROWS = 300_000

// A module that Node loads first: at the end it writes the largest memory the process ever had, in KiB.
const report = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`
// The cap is on what JavaScript may hold at a time; without one, Node lets garbage lie while there is memory.
const nodeFlags = [
  '--max-old-space-size=32',
  '--import',
  `data:text/javascript,${encodeURIComponent(report)}`,
]

/** Milliseconds that a server on a busy machine may take. */
const timeout = 180_000
// MySQL is the same to this process as MariaDB is, and takes longer.
const kinds = databaseKinds().filter((kind) => kind !== 'mysql')

describe.each(kinds)('over %s', { timeout }, (kind) => {
  let place: Workplace
  beforeAll(() => {
    place = makeWorkplace(kind)
    const rows = [...generate('users', ROWS)].join('')
    place.write('users.csv', rows)
    place.write('mixed.csv', `${rows}1,short\n`)
  })
  afterAll(() => place.remove())

  async function peak(...args: string[]): Promise<number> {
    const { status, stdout, stderr } = await place.runProcess(args, { nodeFlags, timeout })
    expect(status).toBe(0)
    if (args[0] === 'import') expect(stdout).toContain('300,000 users')
    else expect(stdout.split('\n')).toHaveLength(ROWS + 1)
    return Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024
  }

  describe('300,000 rows, with a heap of 32 MiB, take less than 200 MiB', () => {
    test('in bulk', async () => {
      expect(await peak('import', 'users', 'users.csv')).toBeLessThan(200)
    })

    test('exported', async () => {
      expect(await peak('export', 'users')).toBeLessThan(200)
    })

    test('one by one, in the place of as many, where a bad row is left out', async () => {
      const flags = ['--replace', '--skip-invalid', 'rejects.jsonl']
      expect(await peak('import', 'users', 'mixed.csv', ...flags)).toBeLessThan(200)
    })
  })
})
