// What is seen of the order of entries: of all orders, those are left that explain it.

import { fieldsIn, type Heard, isRefused, type Probing } from './heard.ts'
import { comparerOf, type Order, type Placed } from './orders.ts'
import { outOfOrder, questions } from './questions.ts'
import { hearUnknown } from './unknown-heard.ts'

/** What is asked for, and which orders it may come in, the likeliest first. */
export interface Subject {
  readonly question: (ids: readonly string[]) => string
  /** The id of an entry, whose fields are named as in GraphQL; none where it stands for nobody. */
  readonly idOf: (name: string, fields: ReadonlyMap<string, string>) => string | undefined
  /** Those that are known to be there. */
  readonly ids: readonly string[]
  readonly orders: readonly Order[]
}

/** As many ids are asked for to find others. */
const NEIGHBOURS = 100
/** As many in pairs, where a list with one that nobody has is refused. */
const PAIRS = 6
/** By chance, so many are in the order of one field once in 120 times; fewer are too few to say that. */
export const SURE = 5

export interface Seen {
  /** The orders that explain all of it. */
  left: readonly Order[]
  /** The longest of the answers. */
  rows: readonly Placed[]
}

export async function seeLists(probing: Probing, subject: Subject, most: number | null): Promise<Seen> {
  const seen: Seen = { left: [...new Set(subject.orders)], rows: [] }
  const length = Math.min(most ?? NEIGHBOURS, NEIGHBOURS)
  const id = Number(subject.ids[0])
  const from = (first: number) => Array.from({ length }, (_, at) => String(first + at))
  const lists = [
    subject.ids.slice(0, most ?? subject.ids.length),
    ...(Number.isSafeInteger(id) ? [from(Math.max(1, id - (length >> 1)))] : []),
    from(1),
  ]
  for (const ids of lists) if (!isDecided(seen)) await see(probing, subject, ids, seen)
  return seen
}

/** Whether there is one order left, of those that a list of ids can tell apart. */
function isDecided(seen: Seen): boolean {
  const { left, rows } = seen
  if (left.length === 0) return true
  const isOne = left.length === 1 || (left.every((one) => one === 'id' || one === 'ksort') && rows.length > 2)
  return isOne && toldBy(seen) !== null
}

async function see(probing: Probing, subject: Subject, ids: readonly string[], seen: Seen): Promise<void> {
  // In XML: there is no object whose members a reader may have put in order.
  const hear = async (list: readonly string[]) =>
    rowsIn(await probing.ask(questions.inXml(subject.question(list))), subject)
  const asked = outOfOrder(ids)
  const rows = ids.length < 2 ? [] : await hear(asked)
  if (rows.length < 2) return
  if (rows.length > seen.rows.length) seen.rows = rows
  seen.left = seen.left.filter((order) => explains(order, asked, rows))
  if (seen.left.length < 2 || !seen.left.includes('asked')) return
  // As it was asked for, or by chance so: once more, the other way round.
  const reversed = rows.map(({ id }) => String(id)).toReversed()
  const again = await hear(reversed)
  seen.left = seen.left.filter((order) => explains(order, reversed, again))
}

export async function seePairs(probing: Probing, subject: Subject, seen: Seen): Promise<void> {
  const { pair } = await hearUnknown(probing)
  if (!isRefused(pair)) return
  const [known = ''] = subject.ids
  const others = Array.from({ length: 2 * PAIRS }, (_, at) => String(at + 1)).filter((id) => id !== known)
  // Those first that tell the order of numbers from that of texts.
  const differs = (id: string) => Number(id) < Number(known) !== id < known
  for (const id of [...others.filter(differs), ...others].slice(0, PAIRS))
    if (seen.left.length > 1) await see(probing, subject, [id, known], seen)
}

export function explains(order: Order, asked: readonly string[], rows: readonly Placed[]): boolean {
  const compare = comparerOf(order)
  const places = new Map(asked.map((id, at) => [Number(id), at]))
  const placeOf = ({ id }: Placed) => places.get(id) ?? -1
  const sorted = rows.toSorted(compare ?? ((one, other) => placeOf(one) - placeOf(other)))
  return sorted.every((row, at) => row === rows[at])
}

/** The likeliest. That of a field has to be seen: any few entries are in the order of some field. */
export function toldBy({ left: [first], rows }: Seen): Order | null {
  if (first === undefined || rows.length < 2) return null
  return /^(?:asked|id|name)\b/.test(first) || rows.length >= SURE ? first : null
}

/** The entries of what is there, in the order of the answer. */
export function rowsIn(heard: Heard | null, { idOf }: Subject): Placed[] {
  return [...(heard?.entries ?? [])].flatMap(([name, said]) => {
    const fields = new Map(
      fieldsIn(said)?.map(([field, { text }]) => [field.charAt(0).toLowerCase() + field.slice(1), text]),
    )
    const id = Number(idOf(name, fields) ?? 0)
    return id > 0 ? [{ name, id, entry: Object.fromEntries(fields) }] : []
  })
}
