// Switches each mechanism off, in a copy of the project, and sees the test of its promise fail: a test that
// stays green proves nothing. `npm run test:switched-off`, with a promise's number or a part of a mechanism's
// name for some of them.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mechanism, mechanisms } from './mechanisms.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
function switchOff({ file, from, to }: Mechanism, copy: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
}

function switchOn({ file }: Mechanism, copy: string): void {
  cpSync(join(root, file), join(copy, file))
}

/** The project's files, new ones included. */
function tracked(): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}

/** @returns whether the tests fail, as they should */
function run({ tests, name, figures }: Mechanism, copy: string): boolean {
  const filter = name === undefined ? [] : ['--testNamePattern', name]
  const { status, stdout } = spawnSync('npx', ['vitest', 'run', '--bail=1', ...filter, ...tests], {
    cwd: copy,
    env: { ...process.env, FIGURES: figures ?? 'small' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  })
  // A run without any test fails as well, and shows nothing.
  return status !== 0 && /Tests .*failed/.test(stdout)
}

for (const { file, from, tests } of mechanisms) {
  if (readFileSync(join(root, file), 'utf8').split(from).length !== 2)
    throw new Error(`${file} does not have this once: ${from}`)
  for (const test of tests) if (!existsSync(join(root, test))) throw new Error(`There is no ${test}.`)
}

const wanted = process.argv[2]
const chosen = mechanisms.filter(
  ({ promise, what }) => wanted === undefined || String(promise) === wanted || what.includes(wanted),
)
const copy = mkdtempSync(join(tmpdir(), 'lookup-off-'))
for (const file of tracked()) cpSync(join(root, file), join(copy, file))
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
let unseen = 0
for (const [index, mechanism] of chosen.entries()) {
  const started = performance.now()
  switchOff(mechanism, copy)
  const failed = run(mechanism, copy)
  // Without its mechanism, something may not end.
  spawnSync('pkill', ['-KILL', '-f', copy])
  switchOn(mechanism, copy)
  if (!failed) unseen++
  const seconds = Math.round((performance.now() - started) / 1000)
  const verdict = failed ? 'fails, as it should' : 'STAYS GREEN'
  process.stdout.write(
    `${index + 1}/${chosen.length} promise ${mechanism.promise}, ${mechanism.what}: ${mechanism.tests.join(' ')} ${verdict} (${seconds} s)\n`,
  )
}
rmSync(copy, { recursive: true })
process.stdout.write(unseen === 0 ? 'Every test fails without its mechanism.\n' : `${unseen} stay green.\n`)
process.exitCode = unseen === 0 ? 0 : 1
