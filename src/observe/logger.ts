import type { DestinationStream, destination } from 'pino'
import { isOurFault } from '../errors.ts'
import type { LogLevel } from '../settings.ts'
import { deferred } from './deferred.ts'
import type { Observation, Observe } from './observation.ts'

type Level = Exclude<LogLevel, 'silent'>

const severity: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

const levels: Record<Exclude<Observation['type'], 'request'>, Level> = {
  started: 'info',
  'admin-skipped': 'warn',
  stopping: 'info',
  'worker-lost': 'error',
  restarting: 'info',
  restarted: 'info',
  'restart-failed': 'error',
  'connections-refused': 'warn',
  'requests-refused': 'error',
  'slow-clients-cut': 'warn',
  stopped: 'info',
  'store-query': 'debug',
  'store-failed': 'error',
  'store-retried': 'warn',
  'store-split': 'warn',
  'rows-refused': 'error',
  'server-known': 'debug',
  'server-out': 'error',
  'server-back': 'info',
  'lag-unknown': 'warn',
  'shadow-compared': 'debug',
  'shadow-differs': 'warn',
  'shadow-unanswered': 'warn',
  unexpected: 'error',
}

/** Bytes that wait for a slow reader of the log; what is logged beyond them is lost. */
const MOST_WAITING = 8 * 1024 * 1024

interface LogOptions {
  readonly logLevel: LogLevel
  /** The share of requests that are logged though nothing was wrong on our side. */
  readonly logSample: number
}

export interface Logger {
  readonly observe: Observe
  /** Resolves when nothing waits to be written any more; a process that ends writes it then. */
  readonly load: () => Promise<void>
}

/** Logs observations of a level and above with pino, one JSON object a line; by default on standard error. */
export function createLogger({ logLevel, logSample }: LogOptions, stream?: DestinationStream): Logger {
  const from = severity[logLevel]
  const { take, load } = deferred<readonly [Level, Observation]>(async () => {
    const { pino } = await import('pino')
    const log = pino(
      {
        level: logLevel,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (level) => ({ level }) },
        serializers: { error: describeError },
      },
      stream ?? openStandardError(pino.destination),
    )
    return ([level, observation]) => log[level](flatten(observation))
  })

  function levelOf(observation: Observation): Level {
    if (observation.type !== 'request') return levels[observation.type]
    const { outcome } = observation.about
    // Who is overloaded has no time for a line about each refusal: they are summed up, `requests-refused`.
    if (outcome !== 'Overloaded' && isOurFault(outcome)) return 'error'
    return Math.random() < logSample ? 'info' : 'debug'
  }

  function observe(observation: Observation): void {
    const level = levelOf(observation)
    if (severity[level] >= from) take([level, observation])
  }

  return { observe, load }
}

/**
 * Where standard error is a terminal that has gone, writing to it fails, which is no reason to stop serving; and pino
 * would try again without end when the process exits. It does this itself for a pipe that has closed.
 */
function openStandardError(open: typeof destination): DestinationStream {
  const stream = open({ fd: 2, sync: false, maxLength: MOST_WAITING })
  const ignore = () => {}
  return stream.on('error', () =>
    Object.assign(stream, { write: ignore, flush: ignore, flushSync: ignore, end: ignore }),
  )
}

function flatten(observation: Observation): object {
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
