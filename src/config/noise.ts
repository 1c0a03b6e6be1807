// Differences that do not count when answers are compared: which fields an operator names, and how.

import { fieldNames, plainName } from '../legacy/events.ts'
import { nearest } from '../spelling.ts'
import { shorten, visible } from '../text.ts'

/** A field, of answers to one event or to all. */
export interface NamedField {
  readonly event: string | null
  /** Without the name of the service. */
  readonly field: string
}

export interface Tolerance extends NamedField {
  /** How much two numbers may differ: digits, perhaps with a fraction. */
  readonly by: string
}

/** What does not count. */
export interface Noise {
  readonly ignore: readonly NamedField[]
  readonly tolerate: readonly Tolerance[]
  /** Whether the old service is asked again, and what it changes by itself does not count. */
  readonly learn: boolean
}

export const allowedToIgnore = 'fields such as Rank or AppLookup.Version, comma-separated'
export const allowedToTolerate =
  'numeric fields with the difference that is allowed, such as JoinDate=60, comma-separated'

/** Fields that hold numbers. */
export const numericFields: readonly string[] = ['Id', 'Rank', 'JoinDate', 'Category']

/** Characters of a name that a message shows. */
const MAX_NAME_LENGTH = 40

/** @returns what is wrong, where a text names no fields */
export function readIgnored(text: string): readonly NamedField[] | string {
  return readAll(text, readField)
}

/** @returns what is wrong, where a text tolerates nothing */
export function readTolerated(text: string): readonly Tolerance[] | string {
  return readAll(text, readTolerance)
}

/** @returns what two of them say of the same field, where it is not the same */
export function contradictionIn({ ignore, tolerate }: Pick<Noise, 'ignore' | 'tolerate'>): string | null {
  const meet = (one: NamedField, other: NamedField) =>
    one.field === other.field && (one.event === null || other.event === null || one.event === other.event)
  for (const [at, one] of tolerate.entries()) {
    if (ignore.some((other) => meet(one, other))) return `${one.field} is both ignored and tolerated`
    if (tolerate.slice(0, at).some((other) => meet(one, other) && one.by !== other.by))
      return `${one.field} has two allowed differences`
  }
  return null
}

export function nameOfField({ event, field }: NamedField): string {
  return event === null ? field : `${event}.${field}`
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
  if (owner === undefined) {
    const known = event === null ? events.flatMap(fieldsOf) : fieldsOf(event)
    // An old service may have fields of its own.
    if (isOwnName(name) && nearest(name, known) === null) return { event, field: name }
    return `no field is called ${shown(name)}${meant(name, known)}`
  }
  if (event !== null && event !== owner)
    return `${event} has no field ${shown(name)} (did you mean ${owner}.${shown(name)}?)`
  return { event, field }
}

const events: readonly string[] = Object.keys(fieldNames)

const isOwnName = (name: string) => name.length <= MAX_NAME_LENGTH && /^[A-Za-z_][\w:-]*$/.test(name)

/** Whether a field is one of the interface: a service that lacks it, or has it beside others, differs. */
export function isDeclared(field: string): boolean {
  return events.some((event) => fieldsOf(event).includes(field))
}

function fieldsOf(event: string): readonly string[] {
  return Object.entries(fieldNames).find(([name]) => name === event)?.[1] ?? []
}

function meant(name: string, known: readonly string[]): string {
  const like = nearest(name, known)
  return like === null ? ` (there are ${known.join(', ')})` : ` (did you mean ${like}?)`
}

function shown(text: string): string {
  return visible(shorten(text, MAX_NAME_LENGTH))
}
