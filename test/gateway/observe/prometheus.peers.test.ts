// A real Prometheus reads the metrics, the alerts and the example of docs/metrics.md, and answers the
// dashboard.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMetrics, printMetrics } from '../../../src/gateway/observe/metrics.ts'
import { filledFile, temporaryFolder } from '../../kit/gateway.ts'
import { freePort } from '../../kit/postgres/server.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startServe } from '../../kit/served.ts'
import { dashboardQueries, yamlBlocks } from './documented.ts'
import { observations } from './observations.ts'
import { askAll } from './telling.ts'

const alertsFile = new URL('../../../deploy/alerts.yaml', import.meta.url).pathname
const alerts = [...readFileSync(alertsFile, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name)

/** The example, for one gateway, and quicker. */
function configFor(gateway: string): string {
  const example = yamlBlocks.find((block) => block.includes('scrape_configs')) ?? ''
  const ours = example
    .replace(/targets: \[.*\]/, `targets: ['${new URL(gateway).host}']`)
    .replace('alerts.yaml', alertsFile)
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${ours}`
}

/** @returns how to ask it for the data of a path of its API */
async function startPrometheus(config: string): Promise<(path: string) => Promise<Data>> {
  const folder = temporaryFolder()
  const file = join(folder.path, 'prometheus.yml')
  writeFileSync(file, config)
  const address = `127.0.0.1:${await freePort()}`
  const server = spawn(
    'prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${folder.path}`, `--web.listen-address=${address}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const ended = once(server, 'exit')
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await ended
    folder.remove()
  })
  await expect.poll(() => log, { timeout: 10_000 }).toContain('Server is ready')
  return async (path) => {
    const { status, error, data } = await (await fetch(`http://${address}/api/v1/${path}`)).json()
    expect(error).toBeUndefined()
    expect(status).toBe('success')
    return data
  }
}

interface Data {
  readonly result: readonly { readonly value: readonly [number, string] }[]
  readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[]
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string }[]
  }[]
}

/** A query as the dashboard sends it when all gateways are chosen. */
function filledIn(query: string): string {
  return query
    .replaceAll('$job', 'lookup')
    .replaceAll('$instance', '.+')
    .replaceAll('$__rate_interval', '5s')
    .replaceAll('$__range', '1m')
}

describe.skipIf(!hasProgram('prometheus'))('Prometheus', () => {
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
    // prom-client has its own names for what it counts of Node.
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => !/^$|^nodejs_/.test(line))
    expect(complaints).toEqual([])
  })

  test('reads the gateway as the example says, and has an answer for every panel', async () => {
    const folder = temporaryFolder()
    onTestFinished(folder.remove)
    await filledFile(join(folder.path, 'lookup.db'))
    const gateway = await startServe({ LOG_LEVEL: 'silent' }, folder.path)
    onTestFinished(gateway.stop)
    const ask = await startPrometheus(configFor(gateway.admin))

    let asking = true
    const clients = (async () => {
      while (asking) {
        await askAll(gateway.url)
        await pause(100)
      }
    })()
    const queries = dashboardQueries()
    const unanswered = async () => {
      const found: string[] = []
      for (const query of queries) {
        const { result } = await ask(`query?query=${encodeURIComponent(filledIn(query))}`)
        if (!result.some(({ value: [, value] }) => value !== 'NaN')) found.push(query)
      }
      return found
    }
    const quiet = (query: string) => /server|shadow|cutover_old|Overloaded\|TooMany/.test(query)
    await expect.poll(unanswered, { timeout: 30_000, interval: 500 }).toEqual(queries.filter(quiet))
    asking = false
    await clients

    const { activeTargets } = await ask('targets')
    expect(activeTargets).toMatchObject([{ health: 'up', lastError: '' }])
    const { groups } = await ask('rules')
    const rules = groups.flatMap((group) => group.rules)
    expect(rules).toMatchObject(alerts.map((name) => ({ name, health: 'ok' })))
  }, 60_000)
})
