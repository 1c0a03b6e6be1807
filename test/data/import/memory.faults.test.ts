// 300,000 rows take less than 200 MiB, with a heap of 32 MiB.

import { describe, expect, onTestFinished, test } from 'vitest'
import { generate } from '../../../bench/generate.ts'
import { engines } from '../../kit/engines.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

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

function memorySuite(make: () => Workplace): void {
  test('valid, exported, with a bad row that is left out, and if all rows clash', {
    timeout: 4 * timeout,
  }, async () => {
    const place = make()
    onTestFinished(place.remove)
    async function peak(...args: string[]): Promise<number> {
      const { status, stdout, stderr } = await place.runProcess(args, { nodeFlags, timeout })
      expect(status).toBe(0)
      if (args[0] === 'import') expect(stdout).toMatch(/300,000 (?:users|invalid rows)/)
      else expect(stdout.split('\n')).toHaveLength(ROWS + 1)
      return Number(/^peak (\d+)$/m.exec(stderr)?.[1]) / 1024
    }
    const rows = [...generate('users', ROWS)].join('')
    place.write('users.csv', rows)
    place.write('mixed.csv', `${rows}1,short\n`)
    expect(await peak('import', 'users', 'users.csv')).toBeLessThan(200)
    expect(await peak('export', 'users')).toBeLessThan(200)
    const flags = ['--replace', '--skip-invalid', 'rejects.jsonl']
    expect(await peak('import', 'users', 'mixed.csv', ...flags)).toBeLessThan(200)
    expect(await peak('import', 'users', 'users.csv', ...flags.slice(1))).toBeLessThan(200)
  })
}

describe('over SQLite', () => memorySuite(makeWorkplace))

// MySQL is the same to this process as MariaDB is, and takes longer.
describe.for(engines.filter(({ name }) => name !== 'MySQL'))('over $name', (engine) => {
  const makeDatabase = async () => (await engine.shared()).makeDatabase()
  memorySuite(() => makeWorkplace(makeDatabase))
})
