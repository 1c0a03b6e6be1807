// The dashboard and the alerts name only metrics that the gateway exposes.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { dashboardQueries } from './documented.ts'

const alerts = readFileSync(new URL('../../deploy/alerts.yaml', import.meta.url), 'utf8')

test.each([
  ['the dashboard', dashboardQueries().join('\n'), 25],
  ['alerts.yaml', alerts, 5],
])('%s names only metrics that there are', async (_, text, atLeast) => {
  const printed = await printMetrics([await createMetrics().read({ inFlight: 0, storeReady: true })])
  const metrics = [...printed.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['bucket', 'sum', 'count'].map((suffix) => `${name}_${suffix}`) : [name],
  )
  const named = [...new Set(text.match(/\b(?:lookup|process|nodejs)_\w+/g))]
  expect(named.length).toBeGreaterThanOrEqual(atLeast)
  expect(named.filter((name) => !metrics.includes(name))).toEqual([])
})
