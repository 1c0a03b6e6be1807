import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { generate } from '../../bench/generate.ts'
import { need } from '../kit/programs.ts'
import { entry, outcomeOf, startLookup } from '../kit/run-lookup.ts'
import { test } from '../kit/test.ts'
import { csvFile, csvRow } from '../kit/workplace.ts'

/** Milliseconds between two plain lines. */
const INTERVAL = 2000

test('plain lines on stderr where that is no terminal, one every two seconds', async ({ place }) => {
  const started = performance.now()
  const child = startLookup(['import', 'users', '-', '--format', 'csv'], { cwd: place.path })
  const outcome = outcomeOf(child)
  /** For each line, when it came: milliseconds since the start of the process. */
  const came: number[] = []
  createInterface(child.stderr).on('line', () => came.push(performance.now() - started))
  child.stdin.write(csvFile(csvRow(1)))
  let rows = 1
  // How soon the import begins, and how many rows it takes until then, is up to the machine.
  while (came.length < 2 && performance.now() < started + 45_000) {
    await sleep(50)
    child.stdin.write(`${csvRow(++rows)}\n`)
  }
  child.stdin.end()
  const { status, stdout, stderr } = await outcome
  expect(status).toBe(0)
  expect(stderr).toMatch(/^(users: \d+ rows\n)+$/)
  expect(came.length).toBeGreaterThanOrEqual(2)
  for (const [at, when] of came.entries()) expect(when).toBeGreaterThanOrEqual((at + 1) * INTERVAL)
  const counts = [...stderr.matchAll(/\d+/g)].map(([count]) => Number(count))
  expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => a - b))
  expect(counts.at(-1)).toBeLessThanOrEqual(rows)
  expect(stdout).toContain(`Imported ${rows} users`)
})

need('script')
test.for([
  [
    'a bar is shown',
    [...generate('users', 30_000)].join(''),
    0,
    /users: █{20} creating the indexes, 100 %\r\n.*Imported/s,
  ],
  [
    'a bar ends before the complaint about bad rows',
    csvFile(csvRow(1), csvRow(2, { rank: 'x' })),
    1,
    /\nImport failed: 1 invalid row in users\.csv\. Nothing was changed\.\r\n {2}line 3: /,
  ],
] as const)('on a terminal, %s', ([, rows, expected, shown], { place }) => {
  place.write('users.csv', rows)
  const command = `'${process.execPath}' '${entry}' import users users.csv`
  const options = { cwd: place.path, encoding: 'utf8' } as const
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], options)
  expect(status).toBe(expected)
  expect(stdout).toMatch(shown)
})
