// A real Prometheus reads the metrics, the alerts and the example of docs/operate.md, and answers the
// dashboard.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { need } from '../kit/programs.ts'
import { test } from '../kit/test.ts'
import { observations } from './observations.ts'

const alertsFile = new URL('../../deploy/alerts.yaml', import.meta.url).pathname
const alerts = [...readFileSync(alertsFile, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name)

need('prometheus')
describe('Prometheus', () => {
  test('raises the alerts when they should be raised', () => {
    const cases = new URL('alerts.test.yaml', import.meta.url).pathname
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', cases], { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
    const tried = readFileSync(cases, 'utf8').matchAll(/alertname: (\w+)/g)
    expect([...new Set([...tried].map(([, name]) => name))].sort()).toEqual(alerts.toSorted())
  })

  test('finds nothing wrong with the metrics', async () => {
    const { observe, read } = createMetrics()
    for (const observation of Object.values(observations)) observe(observation)
    const input = await printMetrics([await read({ inFlight: 0, storeReady: true })])
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' })
    // prom-client chooses the names of the metrics of Node.
    expect(`${stdout}${stderr}`.split('\n').filter((line) => !/^$|^nodejs_/.test(line))).toEqual([])
  })
})
