// Compares two responses to one request: the same bytes, the same meaning, or how they differ. Replay, shadow
// and mirror report nothing else: a difference that this file misses is one that a client finds.

import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { counted, shorten } from '../../text.ts'
import type { Allow, Comparison, Difference } from './difference.ts'
import { comparedHeaders, type HeaderName, isOtherHeader } from './headers.ts'
import {
  type EntriesMeaning,
  type EntryMeaning,
  type FieldMeaning,
  isFields,
  type Meaning,
  type ValueMeaning,
} from './meaning.ts'
import { hasOddStart, isSameText, meaningOf } from './read.ts'

/** Differences of one response that count, and excused ones: a response may have thousands of fields. */
const MAX_DIFFERENCES = 100
/** Characters of an example, and of a name. */
const MAX_EXAMPLE_LENGTH = 200
const MAX_NAME_LENGTH = 64
/** Milliseconds until the old service gets a request again: a time in seconds has changed by then. */
export const LEARN_DELAY_MS = 1_100

const onlyContentType: readonly HeaderName[] = ['Content-Type']

/** @param allow decides which differences do not count @param headers are compared, too */
export function compareResponses(
  old: OldServiceResponse,
  fresh: OldServiceResponse,
  allow: Allow | null = null,
  headers = onlyContentType,
): Comparison {
  const counting = new Map<string, Difference>()
  const excused = new Map<string, Difference>()
  for (const [difference, was = null, is = null] of differencesOf(old, fresh, headers)) {
    const excusedBy = allow?.(difference, was, is) ?? null
    const one = shortened(difference)
    const key = `${excusedBy} ${one.scope} ${one.kind} ${one.field}`
    const found = excusedBy === null ? counting : excused
    if (found.has(key) || found.size === MAX_DIFFERENCES) continue
    found.set(key, excusedBy === null ? one : { ...one, excusedBy })
    if (counting.size === MAX_DIFFERENCES) break
  }
  const isSame = isSameText(old, fresh) && !isOtherHeader('Content-Type', old, fresh)
  return {
    verdict: counting.size > 0 ? 'different' : excused.size > 0 ? 'ignored' : isSame ? 'bytes' : 'meaning',
    differences: [...counting.values(), ...excused.values()],
  }
}

/**
 * Compares a new response with two responses of the old service to the same request. A value or header in
 * which these two differ does not count. If they differ in more, such as the status, the new response may
 * mean the same as either of them.
 * @param again the second response of the old service
 */
export function compareWithBoth(
  { old, again, fresh }: Readonly<Record<'old' | 'again' | 'fresh', OldServiceResponse>>,
  allow: Allow | null,
  headers = onlyContentType,
): Comparison {
  const changing = new Set<string>()
  const keyOf = ({ scope, kind, field }: Difference) => `${scope} ${kind} ${field}`
  const mayChange = ({ kind }: Difference, was: ValueMeaning | null) => was !== null || kind === 'header'
  compareResponses(
    old,
    again,
    (difference, was) => {
      if (!mayChange(difference, was)) return null
      changing.add(keyOf(difference))
      return 'learned'
    },
    headers,
  )
  const allowed: Allow = (difference, was, is) =>
    allow?.(difference, was, is) ??
    (mayChange(difference, was) && changing.has(keyOf(difference)) ? 'learned' : null)
  const first = compareResponses(old, fresh, allowed, headers)
  if (first.verdict !== 'different') return first
  const second = compareResponses(again, fresh, allowed, headers)
  if (second.verdict === 'different') return first
  const learned = first.differences
    .filter(({ excusedBy }) => excusedBy === undefined)
    .map((difference) => ({ ...difference, excusedBy: 'learned' }) as const)
  return { verdict: 'ignored', differences: [...second.differences, ...learned] }
}

/** A difference; and both values, if two values of one type differ. */
type DifferenceWithValues = readonly [difference: Difference, old?: ValueMeaning, fresh?: ValueMeaning]

function* differencesOf(
  old: OldServiceResponse,
  fresh: OldServiceResponse,
  headers: readonly HeaderName[],
): Generator<DifferenceWithValues> {
  if (isSameText(old, fresh)) return yield* differencesOfHeaders(old, fresh, headers)
  const was = meaningOf(old)
  const is = meaningOf(fresh)
  if (was.kind === 'unreadable' || is.kind === 'unreadable')
    return yield ofResponse('unreadable', sketchOf(was), sketchOf(is))
  if (was.kind !== is.kind) return yield ofResponse('refused', sketchOf(was), sketchOf(is))
  if (old.status !== fresh.status) return yield ofResponse('status', String(old.status), String(fresh.status))
  // Clients of a refusal with the status of an error do not read the body.
  if (was.format !== is.format && (was.kind === 'entries' || old.status < 400))
    return yield ofResponse('format', was.format, is.format)
  yield* differencesOfHeaders(old, fresh, headers)
  if (was.kind === 'entries' && is.kind === 'entries') {
    if (hasOddStart(fresh) && !hasOddStart(old))
      yield ofResponse('unreadable', sketchOf(was), 'strict parsers refuse its first bytes')
    yield* differencesOfEntries(was, is)
  }
  if (was.kind === 'refusal' && is.kind === 'refusal' && was.format === 'other' && old.status < 400) {
    // Only its words tell a client that a plain text with status 200 is an error. It may be data, too.
    const [one, other] = [was, is].map(({ text }): ValueMeaning => ({ type: 'text', text: text.trim() }))
    if (one !== undefined && other !== undefined && one.text !== other.text)
      yield [...ofResponse('value', one.text, other.text), one, other]
  }
}

const ofResponse = (kind: Difference['kind'], old: string, fresh: string): [Difference] => [
  { scope: 'response', field: 'answer', kind, old, new: fresh },
]

function* differencesOfHeaders(
  old: OldServiceResponse,
  fresh: OldServiceResponse,
  names: readonly HeaderName[],
): Generator<DifferenceWithValues> {
  // With the status of an error, clients do not read the rest.
  if (old.status >= 400) return
  for (const name of names.filter((one) => isOtherHeader(one, old, fresh))) {
    const textOf = ({ headers }: OldServiceResponse) => comparedHeaders[name].read(headers) || 'none'
    yield [{ scope: 'response', field: name, kind: 'header', old: textOf(old), new: textOf(fresh) }]
  }
}

function* differencesOfEntries(old: EntriesMeaning, fresh: EntriesMeaning): Generator<DifferenceWithValues> {
  if (old.root !== fresh.root) yield ofResponse('root', old.root, fresh.root)
  const ofEntry = (kind: Difference['kind'], was: string, is: string): DifferenceWithValues => [
    { scope: 'entry', field: 'entry', kind, old: was, new: is },
  ]
  const names = compareNames(old.entries, fresh.entries)
  // A name is data here: the first one is an example of all.
  for (const [name, was] of names.missing.slice(0, 1))
    yield ofEntry('missing', `${name}: ${describeEntry(was)}`, '')
  for (const [name, is] of names.extra.slice(0, 1))
    yield ofEntry('extra', '', `${name}: ${describeEntry(is)}`)
  if (old.format === 'XML' && names.order !== null) yield ofEntry('order', ...names.order)
  for (const [name, was] of old.entries) {
    const is = fresh.entries.get(name)
    if (is === undefined) continue
    if (isFields(was) && isFields(is)) yield* differencesOfFields(was, is, old.format)
    else if (isFields(was) || isFields(is) || was.type !== is.type || was.text !== is.text)
      yield ofEntry('value', describeEntry(was), describeEntry(is))
  }
}

function* differencesOfFields(
  old: readonly FieldMeaning[],
  fresh: readonly FieldMeaning[],
  format: EntriesMeaning['format'],
): Generator<DifferenceWithValues> {
  const [before, after] = [new Map(old), new Map(fresh)]
  const ofField = (field: string, kind: Difference['kind'], was: string, is: string): Difference => {
    return { scope: 'field', field, kind, old: was, new: is }
  }
  const names = compareNames(before, after)
  for (const [name, { text }] of names.missing) yield [ofField(name, 'missing', `${name}: ${text}`, '')]
  for (const [name, { text }] of names.extra) yield [ofField(name, 'extra', '', `${name}: ${text}`)]
  if (format === 'XML' && names.order !== null)
    yield [{ ...ofField('entry', 'order', ...names.order), scope: 'entry' }]
  for (const [name, was] of before) {
    const is = after.get(name)
    if (is === undefined) continue
    if (was.type !== is.type) {
      const typed = ({ type, text }: ValueMeaning) => `${cut(text)} (${type})`
      yield [{ ...ofField(name, 'type', typed(was), typed(is)), types: [was.type, is.type] }]
    } else if (was.text !== is.text) {
      const difference = ofField(name, 'value', was.text, is.text)
      // If one is a text and one has elements, no rule about values may excuse the difference.
      yield was.isNested === is.isNested ? [difference, was, is] : [difference]
    }
  }
}

/** Names that only one of two lists has, and the names of both lists if their order differs. */
function compareNames<Item>(old: ReadonlyMap<string, Item>, fresh: ReadonlyMap<string, Item>) {
  const was = [...old.keys()].filter((name) => fresh.has(name))
  const is = [...fresh.keys()].filter((name) => old.has(name))
  return {
    missing: [...old].filter(([name]) => !fresh.has(name)),
    extra: [...fresh].filter(([name]) => !old.has(name)),
    order: was.some((name, at) => name !== is[at]) ? ([was.join(' '), is.join(' ')] as const) : null,
  }
}

function shortened(difference: Difference): Difference {
  const { field, old, new: fresh } = difference
  return { ...difference, field: nameOf(field), old: cut(old), new: cut(fresh) }
}

/** The name of a field in a report. */
export function nameOf(field: string): string {
  return cut(field, MAX_NAME_LENGTH)
}

function cut(text: string, length = MAX_EXAMPLE_LENGTH): string {
  return shorten(text.replaceAll('\0', ' ').toWellFormed(), length)
}

/** A response in a few words. */
export function sketchOf(meaning: Meaning): string {
  if (meaning.kind === 'unreadable') return `unreadable: ${meaning.reason}`
  if (meaning.kind === 'refusal') return `refused, status ${meaning.status}: ${cut(meaning.text.trim())}`
  return `answered, ${counted(meaning.entries.size, 'entry', 'entries')}`
}

function describeEntry(entry: EntryMeaning): string {
  if (!isFields(entry)) return entry.type === 'string' ? JSON.stringify(cut(entry.text)) : entry.text
  const fields = entry.map(([name, { text }]) => `${name}=${cut(text)}`)
  return fields.length === 0 ? '{}' : fields.join(', ')
}
