// SHADOW_IGNORE and SHADOW_TOLERATE: the fields whose differences do not count when responses are compared.

import { fieldNames, legacyEvents, plainName } from '../legacy/events.ts'
import { nearest } from '../spelling.ts'
import { readAll, shown } from './lists.ts'

/** A field of the responses to one event, or to all events. */
export interface NamedField {
  readonly event: string | null
  /** Without the name of the service. */
  readonly field: string
}

export interface Tolerance extends NamedField {
  /** How much two numbers may differ: digits, perhaps with a fraction. */
  readonly by: string
}

/** Differences that do not count. */
export interface Noise {
  readonly ignore: readonly NamedField[]
  readonly tolerate: readonly Tolerance[]
  /** Whether to repeat a request in order to ignore values that the old service changes by itself. */
  readonly learn: boolean
}

export const allowedToIgnore = 'fields such as Rank or AppLookup.Version, comma-separated'
export const allowedToTolerate =
  'numeric fields with the difference that is allowed, such as JoinDate=60, comma-separated'

const numericFields = new Set(
  legacyEvents.flatMap(({ fields }) =>
    fields.filter(({ kind }) => kind === 'id' || kind === 'number').map(({ name }) => name),
  ),
)

/** @returns the reason if the text is no list of fields */
export const readIgnored = (text: string) => readAll(text, readField)

/** @returns the reason if the text is no list of fields with differences */
export const readTolerated = (text: string) => readAll(text, readTolerance)

/** @returns the contradiction if two entries contradict each other about a field */
export function contradictionIn({ ignore, tolerate }: Pick<Noise, 'ignore' | 'tolerate'>): string | null {
  const overlap = (one: NamedField, other: NamedField) =>
    one.field === other.field && (one.event === null || other.event === null || one.event === other.event)
  for (const [at, one] of tolerate.entries()) {
    if (ignore.some((other) => overlap(one, other))) return `${one.field} is both ignored and tolerated`
    if (tolerate.slice(0, at).some((other) => overlap(one, other) && one.by !== other.by))
      return `${one.field} has two allowed differences`
  }
  return null
}

function readTolerance(text: string): Tolerance | string {
  const [name = '', ...rest] = text.split('=')
  const [, by = ''] = /^\s*(?:±|\+\/?-)?(\d{1,18}(?:\.\d{1,9})?)$/.exec(rest.join('=')) ?? []
  if (!/[1-9]/.test(by)) return `${shown(name)} has no allowed difference, such as ${shown(name)}=60`
  const named = readField(name.trim())
  if (typeof named === 'string') return named
  if (numericFields.has(named.field)) return { ...named, by }
  return `${named.field} is not numeric: it can be ignored, but not tolerated`
}

function readField(text: string): NamedField | string {
  const [, event = null, name] = /^(?:(\w+)\.)?([A-Za-z_][\w:-]{0,39})$/.exec(text) ?? []
  if (name === undefined || (event !== null && !Object.hasOwn(fieldNames, event)))
    return `no field is called ${shown(text)}`
  const field = plainName(name)
  const isKnown = Object.entries(fieldNames).some(
    ([owner, fields]) => (event ?? owner) === owner && fields.includes(field),
  )
  // An old service may have its own fields.
  const like = isKnown ? null : nearest(name, Object.values(fieldNames).flat())
  return like === null ? { event, field } : `no field is called ${text} (did you mean ${like}?)`
}
