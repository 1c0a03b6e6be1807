// SHADOW_IGNORE and SHADOW_TOLERATE: the fields whose differences do not count when responses are compared.

import { fieldNames, plainName } from '../legacy/events.ts'
import { nearest } from '../spelling.ts'
import { shorten, visible } from '../text.ts'

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

export const numericFields: readonly string[] = ['Id', 'Rank', 'JoinDate', 'Category']

/** Characters of a name in a message, and of a name that no event declares. */
const MAX_NAME_LENGTH = 40

const events = Object.keys(fieldNames)
const fieldsOf = (event: string) => fieldNames[event] ?? []

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

function readAll<Item extends object>(
  text: string,
  read: (item: string) => Item | string,
): readonly Item[] | string {
  const items: Item[] = []
  for (const part of text.split(',')) {
    const name = part.trim()
    const item = name === '' ? 'it has an empty name' : read(name)
    if (typeof item === 'string') return item
    items.push(item)
  }
  return items
}

function readTolerance(text: string): Tolerance | string {
  const equals = text.indexOf('=')
  if (equals === -1) return `${shown(text)} has no allowed difference, such as ${shown(text)}=60`
  const named = readField(text.slice(0, equals).trim())
  if (typeof named === 'string') return named
  if (!numericFields.includes(named.field))
    return `${named.field} is not numeric: it can be ignored, but not tolerated`
  const by = text.slice(equals + 1).trim()
  const [, digits] = /^(?:±|\+\/?-)?(\d{1,18}(?:\.\d{1,9})?)$/.exec(by) ?? []
  if (digits === undefined || !/[1-9]/.test(digits))
    return `${named.field} needs an allowed difference above 0, not ${shown(by) || 'nothing'}`
  return { ...named, by: digits }
}

function readField(text: string): NamedField | string {
  const dot = text.indexOf('.')
  const event = dot === -1 ? null : text.slice(0, dot)
  const name = text.slice(dot + 1)
  if (event !== null && !events.includes(event))
    return `no event is called ${shown(event)}${meant(event, events)}`
  const field = name.length > MAX_NAME_LENGTH ? name : plainName(name)
  const owner = events.find((each) => fieldsOf(each).includes(field))
  if (owner !== undefined && event !== null && event !== owner)
    return `${event} has no field ${shown(name)} (did you mean ${owner}.${shown(name)}?)`
  if (owner !== undefined) return { event, field }
  const known = event === null ? events.flatMap(fieldsOf) : fieldsOf(event)
  // An old service may have its own fields.
  const isOwnName = name.length <= MAX_NAME_LENGTH && /^[A-Za-z_][\w:-]*$/.test(name)
  if (isOwnName && nearest(name, known) === null) return { event, field: name }
  return `no field is called ${shown(name)}${meant(name, known)}`
}

function meant(name: string, known: readonly string[]): string {
  const like = nearest(name, known)
  return like === null ? ` (there are ${known.join(', ')})` : ` (did you mean ${like}?)`
}

function shown(text: string): string {
  return visible(shorten(text, MAX_NAME_LENGTH))
}
