// The tables in docs/speed.md, between their marks.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Outcome } from './goals.ts'
import type { Latency } from './latency.ts'
import { printLatencies, printSummary } from './report.ts'

const readme = new URL('../docs/speed.md', import.meta.url)
interface Found {
  readonly outcomes: readonly Outcome[]
  readonly latencies: readonly Latency[]
}

export function writeReadme({ outcomes, latencies }: Found, machine: string, effort: string): void {
  const before = readFileSync(readme, 'utf8')
  const goals = `${printSummary(outcomes)}\n\n${machine}; ${effort}.\n`
  const text = put(put(before, 'bench', goals), 'latency', `${printLatencies(latencies)}\n`)
  writeFileSync(readme, text)
}

function put(text: string, name: string, section: string): string {
  const marked = new RegExp(`(?<=<!-- ${name} -->\\n).*(?=<!-- /${name} -->)`, 's')
  if (!marked.test(text)) throw new Error(`docs/speed.md has no <!-- ${name} --> … <!-- /${name} -->`)
  return text.replace(marked, () => section)
}
