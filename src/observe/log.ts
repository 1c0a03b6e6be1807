// Writes the log: one JSON line for each event of LOG_LEVEL and above, by pino. Pino is loaded after the
// start, so that neither the start nor the first responses wait for it. docs/operate.md promises the
// lines.

import type { DestinationStream } from 'pino'
import type { LogLevel } from '../config/settings.ts'
import { isOurFault } from '../errors.ts'
import { kinds, type Level, type Observation, type Observations, type Observe } from './events.ts'

const severity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }
/** Milliseconds between two lines of an event that is summed up. */
const SUM_INTERVAL_MS = 1_000
/** Milliseconds from the first line until pino is loaded. */
const LOAD_DELAY_MS = 100

interface LogStream extends DestinationStream {
  readonly flush?: () => void
}

interface LogOptions {
  readonly logLevel: LogLevel
  /** The share of requests that are logged at `info`. Other requests are `debug`, our failures `error`. */
  readonly logSample: number
}

interface LogHandlers {
  /** Default: standard error. */
  readonly stream?: LogStream
  /** Called for each line that is lost because the reader of the log is too slow. */
  readonly onLost?: () => void
}

export interface Logger {
  readonly observe: Observe
  /** Loads pino now. Resolves when all lines so far are written. */
  readonly load: () => Promise<void>
  /** Resolves when all lines are written, or after a second. */
  readonly end: () => Promise<void>
}

interface LogLine {
  readonly level: Level
  readonly fields: { readonly type: Observation['type'] }
}

/** A line with a sum. Its other fields are those of the first event. */
interface LogSum extends LogLine {
  readonly field: 'count' | 'lost'
  total: number
}

export function createLogger(
  { logLevel, logSample }: LogOptions,
  { stream, onLost = () => {} }: LogHandlers = {},
): Logger {
  const waiting: LogLine[] = []
  let loading: Promise<void> | null = null
  let close = () => {}
  let take = (line: LogLine): void => {
    if (waiting.length === 0) setTimeout(start, LOAD_DELAY_MS).unref()
    waiting.push(line)
  }

  function start(): Promise<void> {
    loading ??= loadPino().then((write) => {
      take = write
      for (const line of waiting.splice(0)) write(line)
    })
    return loading
  }

  async function loadPino(): Promise<(line: LogLine) => void> {
    const { pino } = await import('pino')
    const out = stream ?? (await openOwn())
    const log = pino(
      {
        level: logLevel,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        serializers: { error: describeError },
      },
      out,
    )
    return ({ level, fields }) => {
      log[level](fields)
      // Lines of requests are written in batches. Any other line may be the last of this process.
      if (fields.type !== 'request' || level === 'error') out.flush?.()
    }
  }

  async function openOwn(): Promise<LogStream> {
    const { openStandardError } = await import('./standard-error.ts')
    const onRoom = (count: number) => observe({ type: 'log-lines-lost', count })
    const opened = openStandardError({ onLost, onRoom })
    close = opened.end
    return opened
  }

  const lowest = severity[logLevel]
  const isLogged = (level: Level) => severity[level] >= lowest

  function observe(observation: Observation): void {
    if (observation.type === 'request') logRequest(observation)
    else {
      const { level, sum } = kinds[observation.type]
      if (level === null || !isLogged(level)) return
      if (sum !== null) add(observation, level, sum)
      else take({ level, fields: 'duration' in observation ? rounded(observation) : observation })
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
    take({ level, fields: rounded({ ...rest, ...about }) })
  }

  const sums = new Map<string, LogSum>()

  function add(observation: Observation, level: Level, field: LogSum['field']): void {
    const key = 'side' in observation ? `${observation.type} ${observation.side}` : observation.type
    let sum = sums.get(key)
    if (sum === undefined) {
      if (sums.size === 0) setTimeout(logSums, SUM_INTERVAL_MS).unref()
      sum = { level, fields: observation, field, total: 0 }
      sums.set(key, sum)
    }
    sum.total += 'count' in observation ? observation.count : 'lost' in observation ? observation.lost : 0
  }

  function logSums(): void {
    for (const { level, fields, field, total } of sums.values())
      take({ level, fields: { ...fields, [field]: total } })
    sums.clear()
  }

  async function load(): Promise<void> {
    logSums()
    await start()
  }

  async function end(): Promise<void> {
    await load()
    close()
  }

  return { observe, load, end }
}

const rounded = <Fields extends { readonly duration: number }>(fields: Fields): Fields => {
  return { ...fields, duration: Math.round(fields.duration * 1000) / 1000 }
}

/** An Error has no enumerable properties. Only the log shows its stack. */
function describeError(value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value
}
