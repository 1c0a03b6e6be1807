// docs/log-events.md and docs/metrics.md say what is logged and counted; here it is compared with what really
// is.

import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { legacyFailureCodes } from '../../../src/errors.ts'
import { createLogger } from '../../../src/gateway/observe/logger.ts'
import { createMetrics } from '../../../src/gateway/observe/metrics.ts'
import { hasProgram } from '../../kit/programs.ts'
import { codeIn, documented } from './documented.ts'
import { loggedTypes, observations } from './observations.ts'
import { labelsByMetric, readSeries } from './series.ts'
import { telling } from './telling.ts'
import { visited } from './visited.ts'

const fieldsOfAll = ['level', 'time', 'pid', 'type']

describe('the log', () => {
  const rows = documented('log').map(([type, level = '', , fields]) => ({
    type: codeIn(type)[0] ?? '',
    levels: ['error', 'warn', 'info', 'debug'].filter((name) => level.includes(name)),
    fields: codeIn(fields),
  }))

  test('has the types, levels and fields of the table', async () => {
    const lines: string[] = []
    const { observe, load } = createLogger(
      { logLevel: 'debug', logSample: 1 },
      { stream: { write: (line) => lines.push(line) } },
    )
    for (const observation of Object.values(observations)) observe(observation)
    await load()
    expect(rows.map(({ type }) => type).toSorted()).toEqual(loggedTypes.toSorted())
    for (const line of lines) {
      const { level, type, ...logged } = JSON.parse(line)
      const row = rows.find((one) => one.type === type)
      expect(row?.levels, type).toContain(level)
      expect([...fieldsOfAll, ...(row?.fields ?? [])].toSorted()).toEqual(
        [...Object.keys(logged), 'level', 'type'].toSorted(),
      )
    }
  })

  test('has no other lines, and a line for each request', async () => {
    for (const { log, requests } of await visited()) {
      const lines = log.map((line) => JSON.parse(line))
      for (const { type, ...line } of lines) {
        const row = rows.find((one) => one.type === type)
        expect(row?.levels, type).toContain(line.level)
        expect([...fieldsOfAll, ...(row?.fields ?? [])]).toEqual(expect.arrayContaining(Object.keys(line)))
      }
      const answered = lines.filter(({ type }) => type === 'request')
      expect(answered).toHaveLength(requests)
      for (const { level, outcome } of answered) expect(level).toBe(outcome === 'Internal' ? 'error' : 'info')
    }
  })

  test('names no person: no query, value, name, header or address of a client, whatever happens', async () => {
    for (const { log } of await visited()) {
      expect(log.join()).toMatch(/"store-failed"/)
      // A row that cannot be answered is named by its id, for the operator to find it.
      const lines = log.filter((line) => !line.includes('"type":"rows-refused"'))
      expect(lines.filter((line) => telling.test(line))).toEqual([])
    }
  })
})

describe('the metrics', () => {
  test('are those of the table', async () => {
    const printed = (await visited()).flatMap(({ metrics }) => readSeries(metrics))
    const labels = labelsByMetric(printed)
    const rows = (await createMetrics().read({ inFlight: 0, storeReady: true }))
      .filter(({ name }) => name.startsWith('lookup_'))
      .map(({ name, type, help }) => {
        const named = labels.get(name)?.map((label) => `\`${label}\``)
        return [`\`${name}\``, type, named?.join(', ') ?? 'missing', help]
      })
    expect(documented('metrics')).toEqual(rows)
  })

  test.skipIf(!hasProgram('prometheus'))("pass Prometheus's own checks", async () => {
    for (const { metrics } of await visited()) {
      const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input: metrics,
        encoding: 'utf8',
      })
      // prom-client has names of its own for what it counts of Node.
      const said = `${stdout}${stderr}`
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('nodejs_'))
      expect(said).toEqual([])
    }
  })

  test('name no person', async () => {
    // The names of operations are those that the developers of clients gave them.
    for (const { metrics } of await visited())
      expect(metrics.replaceAll(/\boperation="\w+"/g, '')).not.toMatch(telling)
  })

  test('have the labels of the table, whose values are known', async () => {
    const values = new Map(documented('labels').map(([label, all]) => [codeIn(label)[0], codeIn(all)]))
    expect(values.get('outcome')).toEqual(expect.arrayContaining([...legacyFailureCodes]))
    for (const { metrics } of await visited()) {
      for (const { metric, labels } of readSeries(metrics)) {
        if (!metric.startsWith('lookup_')) continue
        for (const [label, value] of Object.entries(labels)) {
          if (label === 'le') continue
          expect([...values.keys()]).toContain(label)
          if (!['client', 'field', 'operation', 'server', 'version'].includes(label))
            expect(values.get(label)).toContain(value)
        }
      }
    }
  })
})
