import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, isRefused, type Probing } from './heard.ts'
import { onlyId } from './known.ts'
import { questions } from './questions.ts'
import { hearUnknown } from './unknown.ts'

/** `id` is what `WHERE … IN` without `ORDER BY` gives, read from a primary key. */
export const order = habit({
  setting: oneOf(
    'LEGACY_ORDER',
    'asked',
    ['asked', 'id'],
    'the order of entries: as asked for, or by id with those that match nothing after them',
  ),
  effect: (value, { names }) =>
    value === 'id' && names.length > 1 ? 'Entries are in the order of their ids.' : null,
  tell: async (probing) => {
    if ((await probing.listLimit()).most === 1) return 'asked'
    const { ids, samples } = probing
    return (
      (await orderOf(probing, descending(ids))) ??
      (await orderOf(probing, descending(samples.users))) ??
      (await orderOfNeighbours(probing))
    )
  },
})

/** How many ids are asked for to find two that are there. */
const NEIGHBOURS = 12
/** As many by themselves, where a list with one that nobody has is refused. */
const ALONE = 6

/** Where one id is known only, and there are no samples, the ids around it may be there, and the first ones. */
async function orderOfNeighbours(probing: Probing): Promise<string | null> {
  const { ids, listLimit } = probing
  const id = Number(ids[0])
  if (ids.length > 1 || !Number.isSafeInteger(id)) return null
  const length = Math.min((await listLimit()).most ?? NEIGHBOURS, NEIGHBOURS)
  for (const first of [Math.max(1, id - (length >> 1)), 1]) {
    const all = Array.from({ length }, (_, at) => String(first + at))
    const found = await orderOf(probing, descending(all))
    if (found !== null) return found
  }
  return orderOfFirst(probing, id)
}

async function orderOfFirst(probing: Probing, known: number): Promise<string | null> {
  const { pair } = await hearUnknown(probing)
  if (!isRefused(pair)) return null
  for (let id = 1; id <= ALONE; id++)
    if (id !== known && idsIn(await onlyId(probing, String(id))).length === 1)
      return orderOf(probing, descending([String(id), String(known)]))
  return null
}

/** In XML: there is no object whose members a reader may have put in order. `null` where it cannot be told. */
async function orderOf({ ask }: Probing, ids: readonly string[]): Promise<string | null> {
  if (ids.length < 2) return null
  const found = idsIn(await ask(questions.inXml(questions.byId(ids))))
  if (found.length < 2) return null
  return found.every((id, at) => at === 0 || id > (found[at - 1] ?? 0)) ? 'id' : 'asked'
}

function idsIn(heard: Heard | null): number[] {
  return [...(heard?.entries ?? [])].flatMap(([, said]) => {
    const [, id] = fieldsIn(said)?.find(([field]) => field === 'Id') ?? []
    return id === undefined || id.text === '' ? [] : [Number(id.text)]
  })
}

const descending = (ids: readonly string[]) => ids.toSorted((one, other) => Number(other) - Number(one))
