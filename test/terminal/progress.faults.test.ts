import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generate } from '../../bench/generate.ts'
import { entry, outcomeOf, startLookup } from '../kit/run-lookup.ts'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

/** Milliseconds between two plain lines. */
const INTERVAL = 2000

test('plain lines on stderr where that is no terminal, one every two seconds', async () => {
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

// util-linux's script runs a command on a terminal of its own.
const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
if (!hasScript) process.stderr.write('Skipped: the progress bar. To run it: apt-get install -y bsdutils\n')

test.skipIf(!hasScript)('a bar on a terminal', () => {
  place.write('users.csv', [...generate('users', 30_000)].join(''))
  const command = `'${process.execPath}' '${entry}' import users users.csv`
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: place.path,
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  expect(stdout).toMatch(/users .*100% · 30,000 rows/)
  expect(stdout).toMatch(/Imported 30,000 users/)
})

test.skipIf(!hasScript)('the bar ends before the complaint about bad rows', () => {
  place.write('users.csv', csvFile(csvRow(1), csvRow(2, { rank: 'x' })))
  const command = `'${process.execPath}' '${entry}' import users users.csv`
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd: place.path,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stdout).toMatch(
    /\nImport failed: 1 invalid row in users\.csv\. Nothing was changed\.\r\n {2}line 3: /,
  )
})
