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

interface Report {
  readonly date: string
  readonly machine: string
  readonly rows: readonly Row[]
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
    const shown = `<!-- figures -->\n${printFigures(report)}<!-- /figures -->`
    writeFileSync(
      file('promises.md'),
      page.replace(/<!-- figures -->.*<!-- \/figures -->/s, () => shown),
    )
  }
}

/** The table of docs/promises.md: of rows with one bound, the worst. docs/promises.json has all. */
export function printFigures({ date, machine, rows }: Report): string {
  const alike = Map.groupBy(rows, ({ promise, bound }) => `${promise} ${bound}`)
  const lines = [...alike.values()].flatMap((group) => {
    const [worst] = group.toSorted((one, other) => badness(other) - badness(one))
    if (worst === undefined) return []
    const of = group.length === 1 ? '' : ` (the worst of ${group.length})`
    return [printRow({ ...worst, what: `${worst.what}${of}` })]
  })
  return `| promise | what | promised | measured |\n|---|---|---|---|\n${lines.join('')}\n${date}: ${machine}.\n`
}

/** The last number of what was measured, such as 8 of "0 of 9758, p99 8 ms". */
function badness({ measured, passed }: Row): number {
  return passed ? Number(measured.match(/[\d.]+/g)?.at(-1) ?? 0) : Number.POSITIVE_INFINITY
}

function printRow({ promise, what, bound, measured, passed }: Row): string {
  return `| ${promise} | ${what} | ${bound} | ${measured}${passed ? '' : ' (failed)'} |\n`
}

function rowsOf(test: TestCase): Row[] {
  const passed = test.result().state === 'passed'
  return (test.meta().figures ?? []).map((figure) => ({ ...figure, test: test.fullName, passed }))
}
