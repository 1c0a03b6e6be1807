// The dashboard and the alerts ask for what there is, in the language of Prometheus.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printDashboard } from '../../../deploy/grafana/dashboard.ts'
import { metricOf, namedIn } from '../../../deploy/grafana/promql.ts'
import { codeIn, documented } from './documented.ts'
import { labelsByMetric, readSeries } from './series.ts'
import { visited } from './visited.ts'

interface Panel {
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: unknown
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets?: readonly { readonly expr: string; readonly datasource: unknown }[]
}

interface Dashboard {
  readonly id?: number
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] }
  readonly panels: readonly Panel[]
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}

const read = (file: string) => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8')
const text = read('grafana-dashboard.json')
const dashboard: Dashboard = JSON.parse(text)
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const rules: Rules = parse(read('alerts.yaml'))

const shown = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const))
const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert, expr }) => [alert, expr] as const))

/** The labels of each metric that real gateways print, with those that Prometheus adds. */
async function known(): Promise<ReadonlyMap<string, readonly string[]>> {
  const series = (await visited()).flatMap(({ metrics }) => readSeries(metrics))
  const added = ['job', 'instance']
  const printed = [...labelsByMetric(series)].map(([name, labels]) => [name, [...labels, ...added]] as const)
  return new Map([...printed, ['up', added]])
}

test('the file is the one that npm run codegen writes', () => {
  expect(text).toBe(printDashboard())
})

test.each([...shown, ...alerts])('%s asks for what there is: %s', async (_title, expression) => {
  const there = await known()
  const { metrics, labels } = namedIn(expression)
  expect(metrics.size).toBeGreaterThan(0)
  for (const metric of metrics) expect([...there.keys()]).toContain(metricOf(metric))
  const possible = [...metrics].flatMap((metric) => there.get(metricOf(metric)) ?? [])
  for (const label of labels) expect(['le', ...possible]).toContain(label)
  const outcomes = documented('labels').find(([label]) => label === '`outcome`')?.[1]
  for (const [, asked = ''] of expression.matchAll(/outcome[!=~]+"([^"]*)"/g))
    for (const outcome of asked.split('|')) expect(codeIn(outcomes)).toContain(outcome)
})

test('what is no PromQL is told from what is', () => {
  expect(() =>
    namedIn('sum by (le) (rate(a_total{b="c"}[$__rate_interval])) / on () group_left () d'),
  ).not.toThrow()
  for (const wrong of ['', 'sum(rate(a[5m])', 'a{b="c}', 'sum(a) by (', 'rate(a[5 minutes])', 'a b'])
    expect(() => namedIn(wrong), wrong).toThrow(SyntaxError)
})

test('every metric of the gateway is shown', async () => {
  const there = [...(await known()).keys()].filter((name) => name.startsWith('lookup_'))
  const used = new Set(shown.flatMap(([, expr]) => [...namedIn(expr).metrics].map(metricOf)))
  expect(there.length).toBeGreaterThan(10)
  expect(there.filter((name) => !used.has(name))).toEqual([])
})

test('it can be imported as it is, by any Grafana', () => {
  // 42 is the last version of this kind of dashboard.
  expect(dashboard).toMatchObject({ schemaVersion: 42 })
  expect(dashboard.id).toBeUndefined()
  expect(dashboard.templating.list.map(({ name, query }) => [name, query])).toEqual([
    ['datasource', 'prometheus'],
    ['job', 'label_values(lookup_info, job)'],
    ['instance', 'label_values(lookup_info{job=~"$job"}, instance)'],
  ])
  const chosen = { type: 'prometheus', uid: '$datasource' }
  for (const { datasource, targets = [] } of panels) {
    expect(datasource).toEqual(chosen)
    for (const target of targets) expect(target.datasource).toEqual(chosen)
  }
})

test('every panel says what it shows, has a place of its own, and is about the gateways that are chosen', () => {
  expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(dashboard.panels.length)
  const taken = new Set<string>()
  for (const { description, gridPos, targets = [] } of panels) {
    expect(description).toMatch(/[.?]\n\n- `\w+`: /)
    for (const { expr } of targets) {
      const selectors = expr.match(/\{[^}]*\}/g) ?? []
      expect(selectors.length).toBeGreaterThan(0)
      for (const selector of selectors) expect(selector).toMatch(/^\{job=~"\$job", instance=~"\$instance"/)
    }
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(x).toBeLessThan(24)
        expect(taken.has(`${x},${y}`)).toBe(false)
        taken.add(`${x},${y}`)
      }
    }
  }
})
