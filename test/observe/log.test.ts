// LOG_LEVEL and LOG_SAMPLE, and outages that are summed up. observing.test.ts has the level of each type.

import { expect } from 'vitest'
import { type LogLevel, logLevels } from '../../src/config/settings.ts'
import type { Observation } from '../../src/observe/events.ts'
import { createLogger } from '../../src/observe/log.ts'
import { test } from '../kit/test.ts'
import { about, loggedTypes, observations } from './observations.ts'

function createLog(logLevel: LogLevel, logSample = 0) {
  const lines: string[] = []
  const out = { write: (line: string) => lines.push(line) }
  return { ...createLogger({ logLevel, logSample }, { out }), lines }
}

async function log(level: LogLevel, observed: readonly Observation[], sample?: number) {
  const { observe, end, lines } = createLog(level, sample)
  for (const observation of observed) observe(observation)
  end()
  return lines.map((line): Record<string, unknown> => JSON.parse(line))
}
const all = Object.values(observations)

test.for(logLevels)('LOG_LEVEL=%s logs what is as severe', async (threshold) => {
  const severe = logLevels.slice(logLevels.indexOf(threshold))
  const everything = await log('debug', all)
  expect(everything.map(({ type }) => type).toSorted()).toEqual(loggedTypes.toSorted())
  const expected = everything.filter(({ level }) => severe.some((one) => one === level))
  expect((await log(threshold, all)).map(({ type }) => type)).toEqual(expected.map(({ type }) => type))
})

test.for<readonly [outcome: string, level: LogLevel, sample: number, atLeast: number, atMost: number]>([
  ['ok', 'info', 1, 1000, 1000],
  ['ok', 'info', 0, 0, 0],
  ['TooManyValues', 'info', 0.1, 50, 150],
  // A fault of the service is always logged.
  ['Internal', 'error', 0, 1000, 1000],
  // These are summed up.
  ['Overloaded', 'info', 0, 0, 0],
  ['Overloaded', 'info', 1, 1000, 1000],
  ['Unavailable', 'info', 0, 0, 0],
  ['Unavailable', 'info', 1, 1000, 1000],
])('of 1,000 requests that are %s, LOG_LEVEL=%s and LOG_SAMPLE=%f log %i to %i', async (row) => {
  const [outcome, level, sample, atLeast, atMost] = row
  const request = {
    type: 'request',
    requestId: 'r',
    status: 200,
    duration: 1,
    about: { ...about, outcome },
  } as const
  const logged = await log(level, Array<Observation>(1000).fill(request), sample)
  const lines = logged.filter(({ type }) => type === 'request')
  expect(lines.length).toBeGreaterThanOrEqual(atLeast)
  expect(lines.length).toBeLessThanOrEqual(atMost)
})

test('a request that is refused, or that the database fails, is counted in one line a second', async () => {
  const of = (outcome: string) => {
    return {
      type: 'request',
      requestId: 'r',
      status: 503,
      duration: 1,
      about: { ...about, outcome },
    } as const
  }
  const requests = [of('Overloaded'), of('Unavailable'), of('Overloaded'), of('Internal')]
  const lines = await log('info', requests)
  expect(lines.map(({ type, level, count, outcome }) => [type, level, count ?? outcome])).toEqual([
    ['request', 'error', 'Internal'],
    ['requests-refused', 'error', 2],
    ['requests-failed', 'error', 1],
  ])
})

test('each side of a cutover, and each kind, has a line a second', async () => {
  const failed = { type: 'cutover-failed', reason: 'status 500', count: 1 } as const
  const lost = { type: 'access-log-failed', path: 'access.log', reason: 'ENOSPC', lost: 0 } as const
  const observed: readonly Observation[] = [
    ...[{ ...failed, side: 'old' } as const, { ...failed, side: 'old', reason: 'late' } as const],
    ...[{ ...failed, side: 'new' } as const, lost, { ...lost, lost: 3 }],
  ]
  expect(await log('info', observed)).toMatchObject([
    { type: 'cutover-failed', side: 'old', reason: 'status 500', count: 2 },
    { type: 'cutover-failed', side: 'new', count: 1 },
    { type: 'access-log-failed', reason: 'ENOSPC', lost: 3 },
  ])
})

test('an outage is one line a second, with the first error and its stack', async () => {
  const { observe, end, lines } = createLog('error')
  const fail = (message: string) => observe({ type: 'store-failed', error: new Error(message), count: 1 })
  for (const message of ['first', 'second', 'third']) fail(message)
  expect(lines).toEqual([])
  await expect.poll(() => lines).toHaveLength(1)
  fail('fourth')
  end()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { count: 3, error: expect.stringMatching(/^Error: first\n +at /) },
    { count: 1, error: expect.stringMatching(/^Error: fourth/) },
  ])
})
