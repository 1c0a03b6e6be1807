// A real Prometheus reads the metrics, the alerts and the example of docs/operate.md, and answers the
// dashboard.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { filledFile } from '../kit/gateway.ts'
import { freePort } from '../kit/postgres/server.ts'
import { need } from '../kit/programs.ts'
import { startServe } from '../kit/served.ts'
import { test } from '../kit/test.ts'
import { dashboardQueries, yamlBlocks } from './documented.ts'
import { observations } from './observations.ts'
import { askAll } from './telling.ts'

const alertsFile = new URL('../../deploy/alerts.yaml', import.meta.url).pathname
const alerts = [...readFileSync(alertsFile, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name)

/** The example, for one gateway, and with shorter intervals. */
function configFor(gateway: string): string {
  const example = yamlBlocks.find((block) => block.includes('scrape_configs')) ?? ''
  const ours = example
    .replace(/targets: \[.*\]/, `targets: ['${new URL(gateway).host}']`)
    .replace('alerts.yaml', alertsFile)
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${ours}`
}

interface Data {
  readonly result: readonly { readonly value: readonly [number, string] }[]
  readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[]
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string }[]
  }[]
}

/** @returns reads a path of its API */
async function startPrometheus(folder: string): Promise<(path: string) => Promise<Data>> {
  const address = `127.0.0.1:${await freePort()}`
  const files = [`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${folder}`]
  const server = spawn('prometheus', [...files, `--web.listen-address=${address}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await ended
  })
  await expect.poll(() => log, { timeout: 10_000 }).toContain('Server is ready')
  return async (path) => {
    const { error, data } = await (await fetch(`http://${address}/api/v1/${path}`)).json()
    expect(error).toBeUndefined()
    return data
  }
}

/** A query as the dashboard sends it when all gateways are chosen. */
const filledIn = (query: string) =>
  query
    .replaceAll('$job', 'lookup')
    .replaceAll('$instance', '.+')
    .replaceAll('$__rate_interval', '5s')
    .replaceAll('$__range', '1m')

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

  test('reads a gateway as the example says, and answers each panel', { timeout: 60_000 }, async ({
    place,
  }) => {
    await filledFile(join(place.path, 'lookup.db'))
    const gateway = await startServe({ LOG_LEVEL: 'silent' }, place.path)
    onTestFinished(gateway.stop)
    place.write('prometheus.yml', configFor(gateway.admin))
    const read = await startPrometheus(place.path)
    let isSending = true
    const clients = (async () => {
      while (isSending) {
        await askAll(gateway.url)
        await pause(100)
      }
    })()
    const queries = dashboardQueries()
    const unanswered = async () => {
      const found: string[] = []
      for (const query of queries) {
        const { result } = await read(`query?query=${encodeURIComponent(filledIn(query))}`)
        if (!result.some(({ value: [, value] }) => value !== 'NaN')) found.push(query)
      }
      return found
    }
    // This gateway has no database servers, no old service and no overload.
    const quiet = queries.filter((query) =>
      /server|shadow|cutover_old|retries|Overloaded\|TooMany/.test(query),
    )
    await expect.poll(unanswered, { timeout: 30_000, interval: 500 }).toEqual(quiet)
    isSending = false
    await clients
    expect((await read('targets')).activeTargets).toMatchObject([{ health: 'up', lastError: '' }])
    const rules = (await read('rules')).groups.flatMap((group) => group.rules)
    expect(rules).toMatchObject(alerts.map((name) => ({ name, health: 'ok' })))
  })
})
