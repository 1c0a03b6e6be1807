// Writes deploy/grafana-dashboard.json (`npm run codegen`), or fails where it is stale (`npm run
// check:contracts`).

import { readFileSync, writeFileSync } from 'node:fs'
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { datasource, graph, stat } from './builders.ts'
import { figures } from './figures.ts'
import { rows } from './rows.ts'

const file = new URL('../grafana-dashboard.json', import.meta.url)
const WIDTH = 24

/**
 * Which of several gateways are shown. "All" are all that are known, and not whatever else Prometheus looks
 * at.
 */
function choice(name: 'job' | 'instance', label: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(true)
    .includeAll(true)
    .current({ selected: true, text: 'All', value: '$__all' })
}

export function printDashboard(): string {
  const dashboard = new DashboardBuilder('Lookup Service')
    .uid('lookup-service')
    .description('Made by "npm run codegen" from deploy/grafana/. docs/metrics.md explains the metrics.')
    .tags(['lookup-service'])
    .timezone('browser')
    .time({ from: 'now-1h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .annotations([])
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(choice('job', 'Job', 'label_values(lookup_info, job)'))
    .withVariable(choice('instance', 'Gateway', 'label_values(lookup_info{job=~"$job"}, instance)'))
  for (const figure of figures) dashboard.withPanel(stat(figure, WIDTH / figures.length))
  for (const [title, lines] of Object.entries(rows)) {
    dashboard.withRow(new RowBuilder(title))
    for (const line of lines) for (const panel of line) dashboard.withPanel(graph(panel, WIDTH / line.length))
  }
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`
}

if (import.meta.main) {
  if (process.argv[2] === '--write') writeFileSync(file, printDashboard())
  else if (readFileSync(file, 'utf8') !== printDashboard()) {
    process.stderr.write('Stale: deploy/grafana-dashboard.json. "npm run codegen" writes it anew.\n')
    process.exitCode = 1
  }
}
