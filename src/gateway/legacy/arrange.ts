// The entries of a lookup → those of an answer: what each is named by, in which order, and which come once.

import type { EntryNames } from '../../entry-names.ts'
import type { Dialect } from '../../settings.ts'
import type { Entry, LegacyEvent, Lookup } from './events/event.ts'
import type { FormatName } from './formats/index.ts'
import { orderIn } from './habits/json-flags.ts'
import { entryNamesIn, lowerAscii, methodOf } from './habits/keys.ts'
import { namesIn } from './habits/keys-xml.ts'
import { idReader } from './habits/loose-ids.ts'
import { comparerOf, type Placed } from './habits/orders.ts'

/** An entry of an answer, or what stands for a value that matches nothing. */
interface Named extends Placed {
  readonly entry: Entry | null
}

/** What a writer is given: names, and one entry for each. */
export interface Arranged {
  readonly names: readonly string[]
  readonly entries: readonly (Entry | null)[]
}

/** @param entries one for each value of the lookup */
export type Arrange = (lookup: Lookup, entries: readonly (Entry | null)[]) => Arranged

/** @returns `null` where the values are the names, each with its entry, as nearly all services have it */
export function arrangementOf({ order }: LegacyEvent, format: FormatName, dialect: Dialect): Arrange | null {
  const { jsonFlags } = dialect
  const keys = namesIn(format, dialect)
  const compare = comparerOf(orderIn(format, { jsonFlags, order: order.value }))
  // A list has each value once, unless duplicates count; an object has each name once, whatever counts.
  const mayRepeat = dialect.duplicates === 'each'
  const repeats = mayRepeat && format === 'XML'
  if (keys === 'asked' && compare === null && mayRepeat === repeats) return null
  const name = namer(entryNamesIn(keys), dialect)
  return (lookup, entries) => {
    const named = lookup.values.map((value, at) => name(value, entries[at] ?? null, lookup))
    // Those that nothing tells apart stay as they were asked for.
    const ordered = compare === null ? named : named.toSorted(compare)
    const arranged = repeats ? ordered : onceEach(ordered)
    return { names: arranged.map((one) => one.name), entries: arranged.map(({ entry }) => entry) }
  }
}

function namer(
  words: EntryNames,
  dialect: Dialect,
): (value: string, entry: Entry | null, lookup: Lookup) => Named {
  const readId = idReader(dialect)
  return (value, entry, lookup) => {
    const { areIds, areUsernames } = lookup
    const word = words[methodOf(lookup)]
    const read = areIds ? (readId(value) ?? value) : value
    // An app has no id among its fields: it was asked for by that.
    const id = String(entry?.id ?? read)
    const found = entry !== null
    const stored = areUsernames ? String(entry?.username) : read
    const names = {
      asked: value,
      lower: word === 'lower' ? lowerAscii(value) : value,
      read,
      stored: found ? stored : read,
      id: found ? id : read,
      // An app has none.
      username: String(entry?.username ?? read),
    }
    return { name: names[word], entry, id: found ? Number(id) : Number.POSITIVE_INFINITY }
  }
}

/** As an array of PHP has it: a name at its first place. Nothing stands for a name that was found. */
function onceEach(named: readonly Named[]): readonly Named[] {
  const found = new Set(named.filter(({ entry }) => entry !== null).map(({ name }) => name))
  const seen = new Set<string>()
  return named.filter(({ name, entry }) => {
    if (seen.has(name) || (entry === null && found.has(name))) return false
    seen.add(name)
    return true
  })
}
