// Writes what the tests of promises have measured: docs/promises.json for machines, and a table in
// docs/promises.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Figure } from './figures.ts'

interface Row extends Figure {
  readonly test: string
  readonly passed: boolean
}

const file = (name: string) => new URL(`../../docs/${name}`, import.meta.url)

export default class PromiseReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap(rowsOf)
      .toSorted((one, other) => one.promise - other.promise)
    const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}`
    const report = { date: new Date().toISOString().slice(0, 10), machine, rows }
    writeFileSync(file('promises.json'), `${JSON.stringify(report, null, 2)}\n`)
    const page = readFileSync(file('promises.md'), 'utf8')
    const table = rows.map(
      ({ promise, what, bound, measured, passed }) =>
        `| ${promise} | ${what} | ${bound} | ${measured}${passed ? '' : ' (failed)'} |\n`,
    )
    const head = '| promise | what | promised | measured |\n|---|---|---|---|\n'
    const shown = `<!-- figures -->\n${head}${table.join('')}\n${report.date}: ${machine}.\n<!-- /figures -->`
    writeFileSync(
      file('promises.md'),
      page.replace(/<!-- figures -->.*<!-- \/figures -->/s, () => shown),
    )
  }
}

function rowsOf(test: TestCase): Row[] {
  const passed = test.result().state === 'passed'
  return (test.meta().figures ?? []).map((figure) => ({ ...figure, test: test.fullName, passed }))
}
