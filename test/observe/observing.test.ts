// docs/operate.md against what is logged and counted, and no personal data in either.

import { join } from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { createLogger } from '../../src/observe/log.ts'
import { createMetrics, printMetrics } from '../../src/observe/metrics.ts'
import { makeTables } from '../../src/stores/transfer.ts'
import { startAnswering } from '../kit/answering.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { legacyFailures } from '../kit/legacy-failures.ts'
import { change } from '../stores/sqlite/support.ts'
import { codeIn, documented } from './documented.ts'
import { loggedTypes, observations } from './observations.ts'
import { labelsByMetric, readSeries } from './prometheus.ts'
import { telling } from './telling.ts'
import { fillTelling, visit } from './visit.ts'

/** A visit of a gateway over SQLite with a cutover, whose table is missing and then has an invalid number. */
const test = base.extend('visited', { scope: 'file' }, async () => {
  const folder = temporaryFolder()
  const database = { kind: 'sqlite', path: join(folder.path, 'zq7.db') } as const
  await makeTables(database)
  await fillTelling(folder.path, database)
  // The old service knows no user, sends an unknown app, and fails for XML.
  const old = await startAnswering(({ url = '' }, response) => {
    if (url.includes('XML')) response.writeHead(500)
    response.end(url.includes('AppLookup') ? '{"zq7-entry":{"zq7-field":"zq7-value"}}' : '{}')
  })
  const run = (sql: string) => () => change(database.path, sql)
  const settings = {
    ...{ DATABASE_URL: `sqlite:${database.path}`, SHADOW_URL: old.url, SHADOW_SAMPLE: '1' },
    ...{ CUTOVER_URL: old.url, CUTOVER_SHARE: '1', CUTOVER_FALLBACK: 'on', CUTOVER_GUARD: 'off' },
  }
  const visited = visit(folder.path, settings, [
    { begin: run('ALTER TABLE users RENAME TO gone'), end: run('ALTER TABLE gone RENAME TO users') },
    { begin: run('UPDATE users SET rank = 5000000000'), end: run('UPDATE users SET rank = 1') },
  ])
  return visited.finally(() => {
    old.close()
    folder.remove()
  })
})

describe('the log', () => {
  const fieldsOfAll = ['level', 'time', 'pid', 'type']
  const rows = documented('log').map(([type, level = '', , fields]) => ({
    type: codeIn(type)[0] ?? '',
    levels: ['error', 'warn', 'info', 'debug'].filter((name) => level.includes(name)),
    fields: [...fieldsOfAll, ...codeIn(fields)],
  }))

  test('has the types, levels and fields of the table', async () => {
    const lines: string[] = []
    const { observe, end } = createLogger(
      { logLevel: 'debug', logSample: 1 },
      { out: { write: (line) => lines.push(line) } },
    )
    for (const observation of Object.values(observations)) observe(observation)
    end()
    expect(rows.map(({ type }) => type).toSorted()).toEqual(loggedTypes.toSorted())
    for (const line of lines) {
      const logged = JSON.parse(line)
      const row = rows.find(({ type }) => type === logged.type)
      expect(row?.levels, logged.type).toContain(logged.level)
      expect(row?.fields.toSorted()).toEqual(Object.keys(logged).toSorted())
    }
  })

  test('has no other lines, and a line for each request', ({ visited }) => {
    for (const line of visited.log) {
      const row = rows.find(({ type }) => type === line.type)
      expect(row?.levels, String(line.type)).toContain(line.level)
      expect(row?.fields).toEqual(expect.arrayContaining(Object.keys(line)))
    }
    const answered = visited.log.filter(({ type }) => type === 'request')
    expect(answered).toHaveLength(visited.requests)
    for (const { level, outcome } of answered) expect(level).toBe(outcome === 'Internal' ? 'error' : 'info')
  })

  test('has no query, value, name, header or address of a client', ({ visited }) => {
    expect(visited.log).toContainEqual(expect.objectContaining({ type: 'store-failed' }))
    // `rows-refused` has the id of the row, so that the operator can find it.
    const lines = visited.log
      .filter(({ type }) => type !== 'rows-refused')
      .map((line) => JSON.stringify(line))
    expect(lines.filter((line) => telling.test(line))).toEqual([])
  })
})

describe('the metrics', () => {
  test('are those of the table', async () => {
    const { observe, read } = createMetrics()
    for (const observation of Object.values(observations)) observe(observation)
    const metrics = await read({ inFlight: 0, storeReady: true })
    const labels = labelsByMetric(readSeries(await printMetrics([metrics])))
    const rows = metrics
      .filter(({ name }) => name.startsWith('lookup_'))
      .map(({ name, type, help }) => {
        const named = labels.get(name)?.map((label) => `\`${label}\``)
        return [`\`${name}\``, type, named?.join(', ') ?? 'missing', help]
      })
    expect(documented('metrics')).toEqual(rows)
  })

  test('have no value of a client but the names of operations', ({ visited }) => {
    expect(visited.metrics.replaceAll(/\boperation="\w+"/g, '')).not.toMatch(telling)
  })

  test('have the labels of the table, whose values are known', ({ visited }) => {
    const values = new Map(documented('labels').map(([label, all]) => [codeIn(label)[0], codeIn(all)]))
    expect(values.get('outcome')).toEqual(expect.arrayContaining([...legacyFailures]))
    for (const { metric, labels } of readSeries(visited.metrics)) {
      if (!metric.startsWith('lookup_')) continue
      for (const [label, value] of Object.entries(labels)) {
        if (label === 'le') continue
        expect([...values.keys()]).toContain(label)
        if (!['client', 'field', 'operation', 'server', 'version'].includes(label))
          expect(values.get(label)).toContain(value)
      }
    }
  })
})
