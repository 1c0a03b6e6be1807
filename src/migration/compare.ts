// Two answers to one question: the same bytes, the same meaning, or where they differ.

import type { Reply } from '../stores/old-service/call.ts'
import { type Entries, type Field, isFields, type Meaning, type Said, type Value } from './meaning.ts'
import { meaningOf } from './read.ts'
import { shortened } from './shortened.ts'
import { charsetOf } from './text.ts'

/** In what way two answers differ. */
export const differenceKinds = {
  refused: 'one refuses what the other answers',
  status: 'the HTTP status',
  format: 'one answers JSON, the other XML',
  unreadable: 'one cannot be read',
  root: 'the name of the XML root',
  missing: 'the new service leaves out what the old one says',
  extra: 'the new service says what the old one leaves out',
  type: 'the type of a value',
  value: 'a value',
  order: 'the order in XML, where order counts',
} as const
export type DifferenceKind = keyof typeof differenceKinds

export interface Difference {
  /** `answer` for all of it, `entry` for what is said of one identifier, or the name of a field. */
  readonly field: string
  readonly kind: DifferenceKind
  /** What each says there, cut to a length that can be read. */
  readonly old: string
  readonly new: string
}

export interface Comparison {
  readonly bytes: 'same' | 'different'
  /** None where the meaning is the same; each field and kind once. */
  readonly differences: readonly Difference[]
}

export function compareReplies(old: Reply, fresh: Reply): Comparison {
  if (isSame(old, fresh)) return { bytes: 'same', differences: [] }
  const differences = [...differencesOf(old, fresh)]
  const firsts = new Map(differences.toReversed().map((one) => [`${one.kind} ${one.field}`, one]))
  return { bytes: 'different', differences: [...firsts.values()].reverse() }
}

/** The same bytes are another text in another encoding. */
function isSame(old: Reply, fresh: Reply): boolean {
  if (old.status !== fresh.status || !old.body.equals(fresh.body)) return false
  return charsetOf(old.headers) === charsetOf(fresh.headers) || old.body.every((byte) => byte < 0x80)
}

function* differencesOf(old: Reply, fresh: Reply): Generator<Difference> {
  const was = meaningOf(old)
  const is = meaningOf(fresh)
  if (was.kind === 'unreadable' || is.kind === 'unreadable')
    yield difference('answer', 'unreadable', sketch(was), sketch(is))
  else if (was.kind !== is.kind) yield difference('answer', 'refused', sketch(was), sketch(is))
  else if (old.status !== fresh.status)
    yield difference('answer', 'status', String(old.status), String(fresh.status))
  else if (was.kind === 'refusal' && is.kind === 'refusal') {
    // Behind a status of its own, nobody reads it.
    if (was.status < 400 && was.format !== is.format)
      yield difference('answer', 'format', was.format, is.format)
  } else if (was.kind === 'entries' && is.kind === 'entries') yield* differencesOfEntries(was, is)
}

function* differencesOfEntries(old: Entries, fresh: Entries): Generator<Difference> {
  if (old.format !== fresh.format) return yield difference('answer', 'format', old.format, fresh.format)
  if (old.root !== fresh.root) yield difference('answer', 'root', old.root, fresh.root)
  const pairs = { old: old.entries, fresh: fresh.entries }
  yield* differencesOfNames('entry', pairs, old.format, describeSaid)
  for (const [value, was] of old.entries) {
    const is = fresh.entries.get(value)
    if (is === undefined) continue
    if (isFields(was) && isFields(is)) yield* differencesOfFields(was, is, old.format)
    else if (isFields(was) || isFields(is) || was.type !== is.type || was.text !== is.text)
      yield difference('entry', 'value', describeSaid(was), describeSaid(is))
  }
}

function* differencesOfFields(
  old: readonly Field[],
  fresh: readonly Field[],
  format: Entries['format'],
): Generator<Difference> {
  const pairs = { old: new Map(old), fresh: new Map(fresh) }
  yield* differencesOfNames('', pairs, format, ({ text }) => text)
  for (const [name, was] of pairs.old) {
    const is = pairs.fresh.get(name)
    if (is === undefined) continue
    if (was.type !== is.type) yield difference(name, 'type', describe(was), describe(is))
    else if (was.text !== is.text) yield difference(name, 'value', was.text, is.text)
  }
}

/** @param field what a name stands for; empty where it is its own field */
function* differencesOfNames<Item>(
  field: string,
  { old, fresh }: { old: ReadonlyMap<string, Item>; fresh: ReadonlyMap<string, Item> },
  format: Entries['format'],
  show: (item: Item) => string,
): Generator<Difference> {
  for (const [name, item] of old)
    if (!fresh.has(name)) yield difference(field || name, 'missing', `${name}: ${show(item)}`, '')
  for (const [name, item] of fresh)
    if (!old.has(name)) yield difference(field || name, 'extra', '', `${name}: ${show(item)}`)
  // In JSON, order is nothing.
  if (format === 'JSON') return
  const shared = (some: ReadonlyMap<string, Item>, others: ReadonlyMap<string, Item>) =>
    [...some.keys()].filter((name) => others.has(name)).join(' ')
  const was = shared(old, fresh)
  const is = shared(fresh, old)
  if (was !== is) yield difference(field || 'entry', 'order', was, is)
}

/** Characters of an example. */
const LONGEST = 200

function difference(field: string, kind: DifferenceKind, old: string, fresh: string): Difference {
  return { field: cut(field, 64), kind, old: cut(old, LONGEST), new: cut(fresh, LONGEST) }
}

function cut(text: string, length: number): string {
  return shortened(text.replaceAll('\0', ' ').toWellFormed(), length)
}

function sketch(meaning: Meaning): string {
  if (meaning.kind === 'unreadable') return `unreadable: ${meaning.reason}`
  if (meaning.kind === 'refusal') return `refused, status ${meaning.status}: ${meaning.text.trim()}`
  const { size } = meaning.entries
  return `answered, ${size} ${size === 1 ? 'entry' : 'entries'}`
}

function describeSaid(said: Said): string {
  if (!isFields(said)) return said.type === 'string' ? JSON.stringify(said.text) : said.text
  return said.length === 0 ? '{}' : said.map(([name, { text }]) => `${name}=${text}`).join(', ')
}

function describe({ type, text }: Value): string {
  return `${text} (${type})`
}
