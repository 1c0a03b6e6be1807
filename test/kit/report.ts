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

/** So many rows with the same bound become one. */
const MANY = 4

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

/**
 * The table of docs/promises.md. Of many rows with one bound, it has the worst; docs/promises.json has all.
 */
export function printFigures({ date, machine, rows }: Report): string {
  const alike = Map.groupBy(rows, ({ promise, what, bound }) => `${promise} ${what.split(': ')[0]} ${bound}`)
  const lines = [...alike.values()].flatMap((group) => {
    if (group.length < MANY || !group.every(isNumber)) return group.map(printRow)
    const [worst] = group.toSorted((one, other) => numberOf(other) - numberOf(one))
    return worst === undefined
      ? []
      : [printRow({ ...worst, what: `${worst.what} (the worst of ${group.length})` })]
  })
  return `| promise | what | promised | measured |\n|---|---|---|---|\n${lines.join('')}\n${date}: ${machine}.\n`
}

const numberOf = ({ measured }: Row) => Number.parseFloat(measured)
const isNumber = ({ measured }: Row) => /^[\d.]+ (?:ms|MiB)$/.test(measured)

function printRow({ promise, what, bound, measured, passed }: Row): string {
  return `| ${promise} | ${what} | ${bound} | ${measured}${passed ? '' : ' (failed)'} |\n`
}

function rowsOf(test: TestCase): Row[] {
  const passed = test.result().state === 'passed'
  return (test.meta().figures ?? []).map((figure) => ({ ...figure, test: test.fullName, passed }))
}
