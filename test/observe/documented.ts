import { readFileSync } from 'node:fs'

const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
const metrics = read('metrics.md')
const pages = { log: read('log-events.md'), metrics, labels: metrics } as const

/** The rows of a table in docs/log-events.md or docs/metrics.md, cell by cell. */
export function documented(table: keyof typeof pages): string[][] {
  const found =
    new RegExp(`<!-- ${table} -->\n.*\n.*\n([^]*?)<!-- /${table} -->`).exec(pages[table])?.[1] ?? ''
  return found
    .trimEnd()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '))
}

/** What is written as code in a cell. */
export function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** The blocks of YAML in docs/metrics.md. */
export const yamlBlocks = [...metrics.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block)

/** The PromQL of the panels of the dashboard. */
export function dashboardQueries(): string[] {
  const file = new URL('../../deploy/grafana-dashboard.json', import.meta.url)
  const dashboard: {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
  } = JSON.parse(readFileSync(file, 'utf8'))
  return dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}
