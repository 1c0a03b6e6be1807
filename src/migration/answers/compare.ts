// Two answers to one question: the same bytes, the same meaning, or where they differ.

import type { Reply } from '../../stores/old-service/call.ts'
import type { Allow } from './allowance.ts'
import type { Comparison, Difference, DifferenceKind, Ignored } from './difference.ts'
import { exampleOf, nameOf, namesOf, saidOf, sketchOf, startOf, typedOf } from './examples.ts'
import { type Entries, type Field, isFields } from './meaning.ts'
import { meaningOf } from './read.ts'
import { isSame } from './text.ts'

/**
 * Differences that are reported of one response, and ignored ones: a response may have thousands of fields.
 */
const MAX_DIFFERENCES = 100

/** @param allow which differences of a field's value do not count */
export function compareReplies(old: Reply, fresh: Reply, allow: Allow | null = null): Comparison {
  if (isSame(old, fresh)) return { bytes: 'same', differences: [], ignored: [] }
  const firsts = new Map<string, Difference>()
  const allowed = new Map<string, Ignored>()
  for (const difference of differencesOf(old, fresh, allow)) {
    const cause = `${difference.kind} ${difference.field}`
    if ('reason' in difference) {
      const why = `${difference.reason} ${cause}`
      if (!allowed.has(why) && allowed.size < MAX_DIFFERENCES) allowed.set(why, difference)
      continue
    }
    if (!firsts.has(cause)) firsts.set(cause, difference)
    if (firsts.size === MAX_DIFFERENCES) break
  }
  return { bytes: 'different', differences: [...firsts.values()], ignored: [...allowed.values()] }
}

type Found = Difference | Ignored

function* differencesOf(old: Reply, fresh: Reply, allow: Allow | null): Generator<Found> {
  const was = meaningOf(old)
  const is = meaningOf(fresh)
  if (was.kind === 'unreadable' || is.kind === 'unreadable')
    yield difference('answer', 'unreadable', sketchOf(was), sketchOf(is))
  else if (was.kind !== is.kind) yield difference('answer', 'refused', sketchOf(was), sketchOf(is))
  else if (old.status !== fresh.status)
    yield difference('answer', 'status', String(old.status), String(fresh.status))
  else if (was.kind === 'refusal' && is.kind === 'refusal') {
    // Behind a status of its own, clients do not read it.
    if (was.status < 400 && was.format !== is.format)
      yield difference('answer', 'format', was.format, is.format)
  } else if (was.kind === 'entries' && is.kind === 'entries') yield* differencesOfEntries(was, is, allow)
}

function* differencesOfEntries(old: Entries, fresh: Entries, allow: Allow | null): Generator<Found> {
  if (old.format !== fresh.format) return yield difference('answer', 'format', old.format, fresh.format)
  if (old.root !== fresh.root) yield difference('answer', 'root', old.root, fresh.root)
  const pairs = { old: old.entries, fresh: fresh.entries }
  yield* differencesOfNames('entry', pairs, old.format, saidOf)
  for (const [value, was] of old.entries) {
    const is = fresh.entries.get(value)
    if (is === undefined) continue
    if (isFields(was) && isFields(is)) yield* differencesOfFields(was, is, old.format, allow)
    else if (isFields(was) || isFields(is) || was.type !== is.type || was.text !== is.text)
      yield difference('entry', 'value', saidOf(was), saidOf(is))
  }
}

function* differencesOfFields(
  old: readonly Field[],
  fresh: readonly Field[],
  format: Entries['format'],
  allow: Allow | null,
): Generator<Found> {
  const pairs = { old: new Map(old), fresh: new Map(fresh) }
  for (const found of differencesOfNames('', pairs, format, ({ text }) => startOf(text))) {
    const reason = found.kind === 'order' ? null : allow?.(found.field, null, null)
    yield reason ? { ...found, reason } : found
  }
  for (const [name, was] of pairs.old) {
    const is = pairs.fresh.get(name)
    if (is === undefined) continue
    if (was.type !== is.type) yield difference(name, 'type', typedOf(was), typedOf(is))
    else if (was.text !== is.text) {
      const found = difference(name, 'value', was.text, is.text)
      // Elements in the place of a text are no other value of the field.
      const reason = was.isNested === is.isNested ? allow?.(name, was, is) : null
      yield reason ? { ...found, reason } : found
    }
  }
}

/**
 * @param field what a name stands for: one difference of a kind is enough then. Empty where a name is a field
 * itself.
 */
function* differencesOfNames<Item>(
  field: string,
  { old, fresh }: { old: ReadonlyMap<string, Item>; fresh: ReadonlyMap<string, Item> },
  format: Entries['format'],
  show: (item: Item) => string,
): Generator<Difference> {
  const example = (name: string, item: Item) => `${startOf(name)}: ${show(item)}`
  for (const [name, item] of old) {
    if (fresh.has(name)) continue
    yield difference(field || name, 'missing', example(name, item), '')
    if (field !== '') break
  }
  for (const [name, item] of fresh) {
    if (old.has(name)) continue
    yield difference(field || name, 'extra', '', example(name, item))
    if (field !== '') break
  }
  // In JSON, order is nothing.
  if (format === 'JSON') return
  const was = [...old.keys()].filter((name) => fresh.has(name))
  const is = [...fresh.keys()].filter((name) => old.has(name))
  if (was.some((name, at) => name !== is[at]))
    yield difference(field || 'entry', 'order', namesOf(was), namesOf(is))
}

function difference(field: string, kind: DifferenceKind, old: string, fresh: string): Difference {
  return { field: nameOf(field), kind, old: exampleOf(old), new: exampleOf(fresh) }
}
