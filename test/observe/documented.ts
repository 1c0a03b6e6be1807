import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../docs/operate.md', import.meta.url), 'utf8')

/** The rows of a table in docs/operate.md, cell by cell. */
export function documented(table: 'log' | 'metrics' | 'labels'): string[][] {
  const found = new RegExp(`<!-- ${table} -->\n.*\n.*\n([^]*?)<!-- /${table} -->`).exec(page)?.[1] ?? ''
  return found
    .trimEnd()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '))
}

/** What is written as code in a cell. */
export function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** The PromQL of the panels of the dashboard. */
export function dashboardQueries(): string[] {
  const file = new URL('../../deploy/grafana-dashboard.json', import.meta.url)
  const dashboard: {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
  } = JSON.parse(readFileSync(file, 'utf8'))
  return dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}
