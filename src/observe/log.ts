// Writes the log: one JSON line for each event of LOG_LEVEL and above. docs/operate.md promises the lines.

import { inspect } from 'node:util'
import { type LogLevel, logLevels } from '../config/settings.ts'
import { isOurFault } from '../errors.ts'
import { createLineWriter, type LineWriter, openStandard } from '../line-writer.ts'
import { kinds, type Level, type Observation, type Observations, type Observe } from './events.ts'

/** Characters of lines that wait for a slow reader of standard error. Further lines are lost. */
const MAX_WAITING = 8 * 1024 * 1024
/** Milliseconds between two lines of an event that is summed up. */
const SUM_INTERVAL_MS = 1_000

interface LogOptions {
  readonly logLevel: LogLevel
  /** The share of requests that are logged at `info`. Other requests are `debug`, our failures `error`. */
  readonly logSample: number
}

interface LogHandlers {
  /** Default: standard error. */
  readonly out?: Pick<LineWriter, 'write'> & Partial<LineWriter>
  /** Called when lines are lost because the reader of the log is too slow. */
  readonly onLost?: (lines: number) => void
}

export interface Logger {
  readonly observe: Observe
  /** Writes the lines so far, for up to a second. */
  readonly end: () => void
}

/** A line with a sum. Its other fields are those of the first event. */
interface LogSum {
  readonly level: Level
  readonly first: Observation
  readonly field: 'count' | 'lost'
  total: number
}

export function createLogger(
  { logLevel, logSample }: LogOptions,
  { out: chosen, onLost = () => {} }: LogHandlers = {},
): Logger {
  const logLost = (count: number) => observe({ type: 'log-lines-lost', count })
  const out = chosen ?? writeStandardError(onLost, logLost)
  const lowest = logLevels.indexOf(logLevel)
  const isLogged = (level: Level) => logLevels.indexOf(level) >= lowest
  const sums = new Map<string, LogSum>()

  function print(level: Level, fields: { readonly type: Observation['type'] }): void {
    const error = 'error' in fields ? { error: describeError(fields.error) } : {}
    const line = { level, time: new Date().toISOString(), pid: process.pid, ...fields, ...error }
    out.write(`${JSON.stringify(line)}\n`)
    // Lines of requests are written in batches. Any other line may be the last of this process.
    if (fields.type !== 'request' || level === 'error') out.flush?.()
  }

  function observe(observation: Observation): void {
    if (observation.type === 'request') logRequest(observation)
    else {
      const { level, sum } = kinds[observation.type]
      if (level === null || !isLogged(level)) return
      if (sum !== null) add(observation, level, sum)
      else print(level, 'duration' in observation ? rounded(observation) : observation)
    }
  }

  function logRequest(request: Observations['request']): void {
    const { outcome } = request.about
    let level: Level = Math.random() < logSample ? 'info' : 'debug'
    // A line for each of these requests would cost more than the response.
    if (outcome === 'Overloaded') observe({ type: 'requests-refused', count: 1 })
    else if (outcome === 'Unavailable') observe({ type: 'requests-failed', count: 1 })
    else if (isOurFault(outcome)) level = 'error'
    if (!isLogged(level)) return
    const { about, ...rest } = request
    print(level, rounded({ ...rest, ...about }))
  }

  function add(observation: Observation, level: Level, field: LogSum['field']): void {
    const key = 'side' in observation ? `${observation.type} ${observation.side}` : observation.type
    let sum = sums.get(key)
    if (sum === undefined) {
      if (sums.size === 0) setTimeout(logSums, SUM_INTERVAL_MS).unref()
      sum = { level, first: observation, field, total: 0 }
      sums.set(key, sum)
    }
    sum.total += 'count' in observation ? observation.count : 'lost' in observation ? observation.lost : 0
  }

  function logSums(): void {
    for (const { level, first, field, total } of sums.values()) print(level, { ...first, [field]: total })
    sums.clear()
  }

  function end(): void {
    logSums()
    out.end?.()
  }

  return { observe, end }
}

const rounded = <Fields extends { readonly duration: number }>(fields: Fields): Fields => {
  return { ...fields, duration: Math.round(fields.duration * 1000) / 1000 }
}

/** Only the log shows the stack of an error. Any value may be thrown. */
function describeError(value: unknown): string {
  if (value instanceof Error) return value.stack ?? String(value)
  return typeof value === 'string' ? value : inspect(value)
}

/** @param logLost logs how many lines were lost, once the reader has caught up */
function writeStandardError(onLost: (lines: number) => void, logLost: (lines: number) => void): LineWriter {
  let lost = 0
  return createLineWriter({
    ...openStandard(2),
    encoding: 'utf8',
    maxWaiting: MAX_WAITING,
    onLost: (lines) => {
      lost += lines
      onLost(lines)
    },
    onEmpty: () => {
      const before = lost
      lost = 0
      if (before > 0) logLost(before)
    },
  })
}
