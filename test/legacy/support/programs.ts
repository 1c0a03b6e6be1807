import { spawnSync } from 'node:child_process'
import { need } from '../../kit/programs.ts'

need('php')

/** Runs a script of test/php to its end. @returns what it prints */
export function runPhp(script: string, args: readonly string[], input: string): string {
  const file = new URL(`../../php/${script}`, import.meta.url).pathname
  // Notices would otherwise be printed between the results.
  const flags = ['-d', 'display_errors=stderr', '-d', 'memory_limit=1G']
  const options = { input, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 } as const
  const { status, stdout, stderr, error } = spawnSync('php', [...flags, file, ...args], options)
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr.slice(0, 2000)}`)
  return stdout
}
