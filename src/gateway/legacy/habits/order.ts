import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, isRefused, type Probing } from './heard.ts'
import { questions } from './questions.ts'
import { hearUnknown } from './unknown.ts'

const setting = oneOf(
  'LEGACY_ORDER',
  'asked',
  ['asked', 'id', 'name'],
  'the order of entries: as asked for; by id, with those that match nothing after them; by name, compared as text',
)

type Order = (typeof setting)['fallback']

/**
 * `id` is what `WHERE … IN` without `ORDER BY` gives, read from a primary key; `name` is that of sorted keys.
 */
export const order = habit({
  setting,
  effect: (value, { names }) =>
    value === 'asked' || names.length < 2 ? null : `Entries are in the order of their ${value}s.`,
  tell: async (probing) => {
    const { most } = await probing.listLimit()
    if (most === 1) return 'asked'
    let told: Order | null = null
    for (const ids of listsOf(probing, Math.min(most ?? NEIGHBOURS, NEIGHBOURS))) {
      const found = await orderOf(probing, ids)
      if (found === 'id or name') told = 'id'
      else if (found !== null) return found
    }
    return (await orderOfPairs(probing)) ?? told
  },
})

/** How many ids are asked for to find two that are there. */
const NEIGHBOURS = 12
/** As many in pairs, where a list with one that nobody has is refused. */
const PAIRS = 6

/** The ids that are known, samples, those around the first that is known, and those that were given first. */
function listsOf({ ids, samples }: Probing, length: number): (readonly string[])[] {
  const id = Number(ids[0])
  const from = (first: number) => Array.from({ length }, (_, at) => String(first + at))
  return [
    ids,
    samples.users,
    ...(Number.isSafeInteger(id) ? [from(Math.max(1, id - (length >> 1)))] : []),
    from(1),
  ]
}

async function orderOfPairs(probing: Probing): Promise<Order | null> {
  const { pair } = await hearUnknown(probing)
  if (!isRefused(pair)) return null
  const [known = ''] = probing.ids
  const others =
    listsOf(probing, NEIGHBOURS)
      .at(-1)
      ?.filter((id) => id !== known) ?? []
  // Those first that tell the order of numbers from that of texts.
  const differs = (id: string) => Number(id) < Number(known) !== isBefore(id, known)
  for (const id of [...others.filter(differs), ...others].slice(0, PAIRS)) {
    const found = await orderOf(probing, [id, known])
    if (found !== null) return found === 'id or name' ? 'id' : found
  }
  return null
}

/** `null` where it cannot be told. */
async function orderOf({ ask }: Probing, ids: readonly string[]): Promise<Order | 'id or name' | null> {
  if (ids.length < 2) return null
  // In XML: there is no object whose members a reader may have put in order.
  const foundBy = async (list: readonly string[]) => idsIn(await ask(questions.inXml(questions.byId(list))))
  const found = await foundBy(ids.toSorted((one, other) => Number(other) - Number(one)))
  if (found.length < 2) return null
  if (isAscending(found)) return isSorted(found) ? 'id or name' : 'id'
  if (!isSorted(found)) return 'asked'
  // As they were asked for, or by name: once more, the other way round.
  const again = await foundBy(found.toSorted((one, other) => Number(one) - Number(other)))
  return isAscending(again) ? 'asked' : 'name'
}

const isAscending = (ids: readonly string[]) =>
  ids.every((id, at) => at === 0 || Number(id) > Number(ids[at - 1]))
const isSorted = (ids: readonly string[]) =>
  ids.every((id, at) => at === 0 || isBefore(ids[at - 1] ?? '', id))

function idsIn(heard: Heard | null): string[] {
  return [...(heard?.entries ?? [])].flatMap(([, said]) => {
    const [, id] = fieldsIn(said)?.find(([field]) => field === 'Id') ?? []
    return id === undefined || id.text === '' ? [] : [id.text]
  })
}

const isBefore = (one: string, other: string) => compareBytes(one, other) < 0

/** As PHP compares texts: by the bytes of UTF-8, which have the order of code points. */
export function compareBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const difference = weightAt(one, at) - weightAt(other, at)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

/** Halves of code points beyond U+FFFF come after what is before them. */
function weightAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
