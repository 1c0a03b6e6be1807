import { describe, expect, test } from 'vitest'
import { createLogger } from '../../../src/gateway/observe/logger.ts'
import type { Observation } from '../../../src/observation.ts'
import { type LogLevel, logLevels } from '../../../src/settings.ts'
import { startGateway } from '../../kit/gateway.ts'
import { change } from '../../stores/sqlite/support.ts'
import { about, error, loggedTypes, observations } from './observations.ts'

async function log(
  logLevel: LogLevel,
  shown: readonly Observation[] = Object.values(observations),
  logSample = 0,
): Promise<string[]> {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const { observe, load } = createLogger({ logLevel, logSample }, { stream })
  for (const observation of shown) observe(observation)
  await load()
  return lines
}

describe('levels', () => {
  const info = [
    'started',
    'stopping',
    'restarting',
    'restarted',
    'stopped',
    'server-back',
    'reloaded',
    'documents-read',
    'database-replaced',
    'database-back',
    'shadow-ignored',
    'cutover-set',
    'cutover-old-back',
  ]
  const warnings = [
    'setting-warning',
    'admin-skipped',
    'connections-refused',
    'slow-clients-cut',
    'store-retried',
    'store-split',
    'lag-unknown',
    'history-unknown',
    'shadow-differs',
    'shadow-unanswered',
    'database-empty',
    'database-warning',
    'server-warning',
    'cutover-failed',
    'log-lines-lost',
    'access-log-failed',
  ]
  const errors = [
    'rows-refused',
    'store-failed',
    'server-out',
    'cutover-turned-back',
    'cutover-old-out',
    'unexpected',
    'worker-lost',
    'restart-failed',
    'reload-failed',
    'requests-refused',
    'requests-failed',
    'database-lost',
  ]
  test.for([
    ['debug', loggedTypes],
    ['info', [...info, ...warnings, ...errors]],
    ['warn', [...warnings, ...errors]],
    ['error', errors],
    ['silent', []],
  ] as const)('%s', async ([threshold, types]) => {
    const logged = (await log(threshold)).map((line) => JSON.parse(line).type)
    expect(logged.toSorted()).toEqual(types.toSorted())
  })

  test('every level is tried', () => {
    expect(logLevels).toEqual(['debug', 'info', 'warn', 'error', 'silent'])
  })
})

test('every line is one JSON object with the time, the level and what was observed', async () => {
  for (const line of await log('debug')) {
    expect(line).toMatch(/^\{.*\}\n$/)
    const { time, level, pid, error: _shown, ...rest } = JSON.parse(line)
    expect(pid).toBe(process.pid)
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000)
    expect(time).toMatch(/Z$/)
    expect(logLevels).toContain(level)
    // What a request is about is not nested.
    const {
      error: _thrown,
      about: flat,
      ...expected
    } = { error: null, about: {}, ...Object.values(observations).find((one) => one.type === rest.type) }
    expect(rest).toEqual({ ...expected, ...flat })
  }
})

test('an error is logged with its stack', async () => {
  const [line = ''] = await log('error', [observations.unexpected])
  expect(JSON.parse(line)).toMatchObject({ level: 'error', requestId: 'r-1', error: error.stack })
  expect(JSON.parse(line).error).toContain('observations.ts')
})

test('what is thrown and is no error is logged as it is', async () => {
  const [line = ''] = await log('error', [{ type: 'store-failed', error: 'gone', count: 1 }])
  expect(JSON.parse(line).error).toBe('gone')
})

describe('requests', () => {
  const requests = (outcome: string, count: number): Observation[] =>
    Array.from({ length: count }, () => ({
      ...{ type: 'request', requestId: 'r', status: 200, duration: 1 },
      about: { ...about, outcome },
    }))

  test('are logged at the rate that is set', async () => {
    expect(await log('info', requests('ok', 1000), 1)).toHaveLength(1000)
    expect(await log('info', requests('ok', 1000), 0)).toHaveLength(0)
    const some = await log('info', requests('TooManyValues', 10_000), 0.1)
    expect(some.length).toBeGreaterThan(700)
    expect(some.length).toBeLessThan(1300)
  })

  test('that fail by a fault of the service are all logged', async () => {
    const lines = await log('error', requests('Internal', 100))
    expect(lines).toHaveLength(100)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', outcome: 'Internal', requestId: 'r' })
  })

  test('that are refused under overload, or fail in an outage, are not: they are summed up', async () => {
    for (const outcome of ['Overloaded', 'Unavailable']) {
      expect(await log('info', requests(outcome, 100), 0)).toHaveLength(0)
      expect(await log('info', requests(outcome, 100), 1)).toHaveLength(100)
    }
  })
})

describe('an outage', () => {
  const failure = (message: string): Observation => {
    return { type: 'store-failed', error: new Error(message), count: 1 }
  }

  test('is one line a second, with the first error and its stack', async () => {
    const failures = ['first', 'second', 'third'].map(failure)
    const lines = (await log('error', failures)).map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ type: 'store-failed', count: 3 }])
    expect(lines[0].error).toMatch(/^Error: first\n +at /)
  })

  test('is one more line when it goes on', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => lines.push(line) }
    const { observe, load } = createLogger({ logLevel: 'error', logSample: 0 }, { stream })
    observe(failure('first'))
    observe(failure('second'))
    expect(lines).toEqual([])
    await expect.poll(() => lines.length).toBe(1)
    observe(failure('third'))
    await load()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { count: 2, error: expect.stringMatching(/^Error: first/) },
      { count: 1, error: expect.stringMatching(/^Error: third/) },
    ])
  })

  test('is counted by request, once a second', async () => {
    const gateway = await startGateway()
    change(gateway.database.path, 'DROP TABLE users')
    const count = 20
    await Promise.all(
      Array.from({ length: count }, () => fetch(`${gateway.url}/?Event=ProfileLookup&Users=1`)),
    )
    const sums = () => gateway.observations.filter(({ type }) => type === 'requests-failed')
    await expect
      .poll(() => sums().reduce((sum, one) => sum + (one.type === 'requests-failed' ? one.count : 0), 0))
      .toBe(count)
    expect(sums().length).toBeLessThan(count / 2)
    await gateway.close()
  })
})

test('the stack of an outage is in the log and in no answer', async () => {
  const gateway = await startGateway()
  change(gateway.database.path, 'DROP TABLE users')
  const answers = await Promise.all([
    fetch(`${gateway.url}/?Event=ProfileLookup&Users=1`),
    fetch(`${gateway.url}/?Event=ProfileLookup&Users=1&Format=XML`),
    fetch(`${gateway.url}/graphql?query={users(values:["1"]){id}}`),
  ])
  for (const answer of answers) {
    expect(answer.status).toBe(503)
    const text = await answer.text()
    for (const inside of ['no such table', 'sqlite', 'SELECT', '.ts', 'node:', gateway.database.path]) {
      expect(text).not.toContain(inside)
    }
  }
  const logged = (await log('error', gateway.observations)).filter((line) => line.includes('"store-failed"'))
  expect(logged.length).toBeGreaterThanOrEqual(1)
  for (const line of logged) expect(JSON.parse(line).error).toMatch(/^Error: no such table: .*\n +at /)
  await gateway.close()
})
