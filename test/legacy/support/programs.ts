// PHP and Python, and the small scripts that drive them.

import { spawnSync } from 'node:child_process'
import { need } from '../../kit/programs.ts'

need('php')

/** Runs a script of test/php. @returns what it prints */
export function runPhp(script: string, args: readonly string[], input: string): string {
  const file = new URL(`../../php/${script}`, import.meta.url).pathname
  // Notices would otherwise be printed between the results.
  return run('php', ['-d', 'display_errors=stderr', '-d', 'memory_limit=1G', file, ...args], input)
}

/** Runs a Python script of this folder. @returns what it prints */
export function runPython(script: string, input: string): string {
  return run('python3', [new URL(script, import.meta.url).pathname], input)
}

/** Runs a program to its end. @throws when it fails or complains */
function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 2000)}`)
  return stdout
}
