// What a probe advises, as a gateway takes it.

import { parseEnv } from 'node:util'
import { settings } from '../../src/config/settings.ts'

const defaults = [...settings.values()].flatMap((row) =>
  row.default === null ? [] : [[row.name, row.default] as const],
)

/** The settings of a probe's output, and for all others what they are by default. */
export function advisedIn(stdout: string): Readonly<Record<string, string>> {
  const advised = Object.entries(parseEnv(stdout)).map(([name, value]) => [name, value ?? ''] as const)
  return Object.fromEntries([...defaults, ...advised])
}
