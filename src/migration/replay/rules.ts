// Decides which differences do not count in a replay: those of ignored fields and headers, and of causes that
// were accepted before. If a rule excuses too much, the replay proves nothing.

import { readFileSync } from 'node:fs'
import type { NamedField, Noise } from '../../config/noise.ts'
import { isObject } from '../../json.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { messageOf, stringOf } from '../../text.ts'
import { nameOf } from '../compare/compare.ts'
import { type Allow, allowanceFor } from '../compare/difference.ts'
import type { HeaderName } from '../compare/headers.ts'
import { namesIn } from '../logs/legacy.ts'
import { keyOf } from './results.ts'

export interface ReplayRules extends Noise {
  readonly ignoredHeaders: readonly HeaderName[]
  /** JSON reports of earlier replays. */
  readonly baselines: readonly string[]
  /** Keys of the causes in them. */
  readonly accepted: ReadonlySet<string>
}

export function allowanceOf({ ignoredHeaders, accepted, ...noise }: ReplayRules, query: string): Allow {
  const names = namesIn(query)
  const allow = allowanceFor(noise, names.event)
  return (difference, old, fresh) => {
    const { scope, field, kind } = difference
    if (kind === 'header' && ignoredHeaders.some((name) => name === field)) return 'ignored'
    const rule = allow?.(difference, old, fresh) ?? null
    if (rule !== null || accepted.size === 0) return rule
    return accepted.has(keyOf({ ...names, scope, field: nameOf(field), kind })) ? 'accepted' : null
  }
}

/** The options for differences that do not count, in one spelling; empty if there are none. */
export function describeRules({ ignore, tolerate, learn, ignoredHeaders, baselines }: ReplayRules): string {
  const fieldOf = ({ event, field }: NamedField) => (event === null ? field : `${event}.${field}`)
  const tolerances = tolerate.map((rule) => `${fieldOf(rule)}=${rule.by}`)
  const option = (name: string, values: readonly string[]) =>
    values.length === 0 ? [] : [`${name} ${[...new Set(values)].toSorted().join()}`]
  return [
    ...option('--ignore', ignore.map(fieldOf)),
    ...option('--ignore-header', ignoredHeaders),
    ...option('--tolerate', tolerances),
    ...(learn ? ['--learn'] : []),
    ...baselines.map((file) => `--accept ${file}`),
  ].join(' ')
}

/**
 * Reads the causes in JSON reports of earlier replays, and the causes that those replays accepted.
 * @returns their keys @throws CommandError
 */
export function readAccepted(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.flatMap(readKeys))
}

function readKeys(file: string): string[] {
  let report: unknown
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new CommandError(`Cannot read the report ${file}: ${messageOf(error)}.`)
  }
  const { groups, accepted } = isObject(report) ? report : {}
  if (!Array.isArray(groups) || !Array.isArray(accepted))
    throw new CommandError(`${file} is not a report of this version. Make it with lookup replay --json.`)
  return [...groups, ...accepted].filter(isObject).flatMap((row) => {
    const [event, method, format] = [stringOf(row.event), stringOf(row.method), stringOf(row.format)]
    const [scope, field, kind] = [stringOf(row.scope), stringOf(row.field), stringOf(row.kind)]
    // The row `others` has no scope: it counts differences of any cause.
    return scope === '' ? [] : [keyOf({ event, method, format, scope, field, kind })]
  })
}
