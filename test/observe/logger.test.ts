import { describe, expect, test } from 'vitest'
import { createLogger } from '../../src/observe/logger.ts'
import type { Observation } from '../../src/observe/observation.ts'
import { type LogLevel, logLevels } from '../../src/settings.ts'
import { change } from '../stores/sqlite-support.ts'
import { startGateway } from '../support/gateway.ts'

const error = new Error('no such table: users\nsecond line')
const observations: Record<Observation['type'], Observation> = {
  started: { type: 'started', address: 'http://localhost:1', admin: null, store: 'sqlite' },
  'admin-skipped': { type: 'admin-skipped', reason: 'taken' },
  stopping: { type: 'stopping', reason: 'SIGTERM' },
  'worker-lost': { type: 'worker-lost', reason: 'SIGKILL' },
  stopped: { type: 'stopped' },
  request: { type: 'request', surface: 'legacy', status: 200, duration: 1.5 },
  'store-query': { type: 'store-query', lookup: 'users-by-id', values: 2 },
  'store-failed': { type: 'store-failed', error },
  'store-retried': { type: 'store-retried', server: 'b:5432/x', reason: 'no answer' },
  'server-out': { type: 'server-out', server: 'b:5432/x', reason: 'refused' },
  'server-back': { type: 'server-back', server: 'b:5432/x' },
  'lag-unknown': { type: 'lag-unknown', server: 'b:5432/x', reason: 'no such function' },
  unexpected: { type: 'unexpected', requestId: 'r-1', error },
}

function log(threshold: LogLevel, shown: readonly Observation[] = Object.values(observations)) {
  const lines: string[] = []
  const observe = createLogger(threshold, (line) => lines.push(line))
  for (const observation of shown) observe(observation)
  return lines
}

describe('levels', () => {
  const info = ['started', 'stopping', 'stopped', 'server-back']
  const warnings = ['admin-skipped', 'store-retried', 'lag-unknown']
  const errors = ['store-failed', 'server-out', 'unexpected', 'worker-lost']
  test.for([
    ['debug', Object.keys(observations)],
    ['info', [...info, ...warnings, ...errors]],
    ['warn', [...warnings, ...errors]],
    ['error', errors],
    ['silent', []],
  ] as const)('%s', ([threshold, types]) => {
    const logged = log(threshold).map((line) => JSON.parse(line).type)
    expect(logged.toSorted()).toEqual(types.toSorted())
  })

  test('every level is tried', () => {
    expect(logLevels).toEqual(['debug', 'info', 'warn', 'error', 'silent'])
  })
})

test('every line is one JSON object with the time, the level and what was observed', () => {
  for (const [index, line] of log('debug').entries()) {
    expect(line).toMatch(/^\{.*\}\n$/)
    const { time, level, error: _shown, ...rest } = JSON.parse(line)
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000)
    expect(time).toMatch(/Z$/)
    expect(logLevels).toContain(level)
    const { error: _thrown, ...expected } = { error: null, ...Object.values(observations)[index] }
    expect(rest).toEqual(expected)
  }
})

test('an error is logged with its stack', () => {
  const [line = ''] = log('error', [observations.unexpected])
  expect(JSON.parse(line)).toMatchObject({ level: 'error', requestId: 'r-1', error: error.stack })
  expect(JSON.parse(line).error).toContain('logger.test.ts')
})

test('what is thrown and is no error is logged as it is', () => {
  const [line = ''] = log('error', [{ type: 'store-failed', error: 'gone' }])
  expect(JSON.parse(line).error).toBe('gone')
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
  const logged = log('error', gateway.observations)
  expect(logged.length).toBeGreaterThanOrEqual(1)
  for (const line of logged) expect(JSON.parse(line).error).toMatch(/^Error: no such table: .*\n +at /)
  await gateway.close()
})
