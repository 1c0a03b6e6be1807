import type { DestinationStream } from 'pino'
import type { LogLevel } from '../../config/settings.ts'
import { isOurFault } from '../../errors.ts'
import type { Observation, Observe } from '../../observation.ts'
import { createThrottledCounter } from '../../throttled-counter.ts'
import { deferred } from './deferred.ts'
import type { StandardError } from './standard-error.ts'

type Level = Exclude<LogLevel, 'silent'>

const severity: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

/** What is counted for each request, and not logged. */
const counted = ['graphql-operation', 'cutover-answered', 'cutover-passed', 'shadow-difference'] as const
type CounterEvent = Extract<Observation, { type: (typeof counted)[number] }>
type LogEvent = Exclude<Observation, CounterEvent>

const levels: Record<Exclude<LogEvent['type'], 'request'>, Level> = {
  started: 'info',
  'setting-warning': 'warn',
  'admin-skipped': 'warn',
  stopping: 'info',
  'worker-lost': 'error',
  restarting: 'info',
  restarted: 'info',
  'restart-failed': 'error',
  reloaded: 'info',
  'reload-failed': 'error',
  'documents-read': 'info',
  'connections-refused': 'warn',
  'requests-refused': 'error',
  'requests-failed': 'error',
  'slow-clients-cut': 'warn',
  stopped: 'info',
  'store-query': 'debug',
  'store-failed': 'error',
  'database-replaced': 'info',
  'database-lost': 'error',
  'database-back': 'info',
  'database-warning': 'warn',
  'database-empty': 'warn',
  'store-retried': 'warn',
  'store-split': 'warn',
  'rows-refused': 'error',
  'server-known': 'debug',
  'server-warning': 'warn',
  'server-out': 'error',
  'server-back': 'info',
  'lag-unknown': 'warn',
  'history-unknown': 'warn',
  'shadow-compared': 'debug',
  'shadow-differs': 'warn',
  'shadow-ignored': 'info',
  'shadow-unanswered': 'warn',
  'cutover-set': 'info',
  'cutover-turned-back': 'error',
  'cutover-old-out': 'error',
  'cutover-old-back': 'info',
  'cutover-failed': 'warn',
  unexpected: 'error',
  'log-lines-lost': 'warn',
  'access-log-failed': 'warn',
}

interface LogStream extends DestinationStream {
  readonly flush?: () => void
}

interface LogOptions {
  readonly logLevel: LogLevel
  /** The share of requests that are logged though nothing was wrong on our side. */
  readonly logSample: number
}

interface LogHandlers {
  readonly stream?: LogStream
  /** Called for each line that is lost because the others are not read. */
  readonly onLost?: () => void
}

export interface Logger {
  readonly observe: Observe
  /** Resolves when nothing waits for the logger any more. */
  readonly load: () => Promise<void>
  /** Resolves when everything is written, or its reader has had its time. */
  readonly end: StandardError['end']
}

type Entry = readonly [Level, LogEvent]
type Failure = Extract<Observation, { type: 'store-failed' }>

/**
 * Logs observations of a level and above with pino, one JSON object a line; by default on standard error.
 */
export function createLogger(
  { logLevel, logSample }: LogOptions,
  { stream, onLost = () => {} }: LogHandlers = {},
): Logger {
  const from = severity[logLevel]
  let close: StandardError['end'] = async () => {}
  const { take, load: start } = deferred<Entry>(async () => {
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
    return ([level, observation]) => {
      log[level](flatten(observation))
      // Lines of requests may be collected. Of what is rarer, each may be the last one.
      if (observation.type !== 'request' || level === 'error') out.flush?.()
    }
  })

  async function openOwn(): Promise<LogStream> {
    const { openStandardError } = await import('./standard-error.ts')
    const onRoom = (count: number) => observe({ type: 'log-lines-lost', count })
    const opened = openStandardError({ onLost, onRoom })
    close = opened.end
    return opened
  }

  function levelOf(observation: LogEvent): Level {
    if (observation.type !== 'request') return levels[observation.type]
    const { outcome } = observation.about
    // A line for each would cost more than the answer: they are summed up, `requests-refused` and
    // `requests-failed`.
    if (outcome !== 'Overloaded' && outcome !== 'Unavailable' && isOurFault(outcome)) return 'error'
    return Math.random() < logSample ? 'info' : 'debug'
  }

  function observe(observation: Observation): void {
    if (isCounterEvent(observation)) return
    if (observation.type === 'store-failed') failed.count(observation, observation.count)
    else log(observation)
  }

  function log(observation: LogEvent): void {
    const level = levelOf(observation)
    if (severity[level] >= from) take([level, observation])
  }

  // An outage fails thousands.
  const failed = createThrottledCounter<Failure>((count, first) => log({ ...first, count }))

  async function load(): Promise<void> {
    failed.flush()
    await start()
  }

  async function end() {
    await load()
    return close()
  }

  return { observe, load, end }
}

function isCounterEvent(observation: Observation): observation is CounterEvent {
  return counted.some((type) => type === observation.type)
}

function flatten(observation: LogEvent): object {
  if (!('duration' in observation)) return observation
  const duration = Math.round(observation.duration * 1000) / 1000
  if (observation.type !== 'request') return { ...observation, duration }
  const { about, ...rest } = observation
  return { ...rest, ...about, duration }
}

// An Error has no enumerable properties; its stack is for the operator, and only ever goes here.
function describeError(value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value
}
