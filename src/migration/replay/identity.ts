import { resolve } from 'node:path'
import type { NamedField, Noise } from '../../config/noise.ts'
import type { Service } from '../../config/old-service.ts'

/** Identifies a replay, so that a run that was interrupted can continue. Logins and headers may change. */
export function identityOf(replay: {
  readonly logs: readonly string[]
  readonly old: Service
  readonly new: Service
  readonly path: string
  readonly format?: string
}): string {
  return JSON.stringify({
    // Of the tables in the state file.
    version: 2,
    logs: replay.logs.map((file) => (file === '-' ? file : resolve(file))),
    old: replay.old.url,
    new: replay.new.url,
    path: replay.path,
    format: replay.format,
  })
}

/** The options for differences to ignore, in one spelling; empty if there are none. */
export function describeNoise({ ignore, tolerate, learn }: Noise): string {
  const nameOf = ({ event, field }: NamedField) => (event === null ? field : `${event}.${field}`)
  const inOrder = (names: readonly string[]) => [...new Set(names)].toSorted().join()
  const ignored = inOrder(ignore.map(nameOf))
  const tolerated = inOrder(tolerate.map((rule) => `${nameOf(rule)}=${rule.by}`))
  return [
    ...(ignored === '' ? [] : [`--ignore ${ignored}`]),
    ...(tolerated === '' ? [] : [`--tolerate ${tolerated}`]),
    ...(learn ? ['--learn'] : []),
  ].join(' ')
}
