import type { LogLevel } from '../settings.ts'
import type { Observation, Observe } from './observation.ts'

const severity: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

const levels: Record<Observation['type'], Exclude<LogLevel, 'silent'>> = {
  started: 'info',
  'admin-skipped': 'warn',
  stopping: 'info',
  'worker-lost': 'error',
  stopped: 'info',
  request: 'debug',
  'store-query': 'debug',
  'store-failed': 'error',
  'store-retried': 'warn',
  'server-out': 'error',
  'server-back': 'info',
  'lag-unknown': 'warn',
  unexpected: 'error',
}

/** Logs observations of a level and above, one JSON object a line. */
export function createLogger(threshold: LogLevel, write: (line: string) => void): Observe {
  const from = severity[threshold]
  return (observation) => {
    const level = levels[observation.type]
    if (severity[level] < from) return
    const time = new Date().toISOString()
    write(`${JSON.stringify({ time, level, ...observation }, describeError)}\n`)
  }
}

// An Error has no enumerable properties; its stack is for the operator, and only ever goes here.
function describeError(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value
}
