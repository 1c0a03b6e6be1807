// The table in docs/speed.md, between its marks.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Outcome } from './goals.ts'
import { printSummary } from './report.ts'

const readme = new URL('../docs/speed.md', import.meta.url)
const marked = /(?<=<!-- bench -->\n).*(?=<!-- \/bench -->)/s

export function writeReadme(outcomes: readonly Outcome[], machine: string, effort: string): void {
  const text = readFileSync(readme, 'utf8')
  if (!marked.test(text)) throw new Error('docs/speed.md has no <!-- bench --> … <!-- /bench -->')
  const section = `${printSummary(outcomes)}\n\n${machine}; ${effort}.\n`
  writeFileSync(
    readme,
    text.replace(marked, () => section),
  )
}
