import DataLoader from 'dataloader'
import type { Awaitable } from '../stores/store.ts'

/** Finds one item per value, in order; `null` where nothing matches. */
export type Find<Row> = (values: readonly string[]) => Awaitable<readonly (Row | null)[]>

/**
 * Batching, explained once.
 *
 * Every `users(…)` or `apps(…)` field of every request, legacy or GraphQL, asks one DataLoader that belongs to
 * the whole process. DataLoader waits until the code that is running has asked for all it wants, then hands the
 * collected questions over, and they become one call of the store, whose answer is cut up again.
 *
 * A key is a whole list of values rather than one value: a request for 100 users then costs one promise instead
 * of 100, and lists of several fields or requests still meet in one call. Nothing is cached, so a change of the
 * data is visible to the next request.
 */
export function batchLists<Row>(
  find: Find<Row>,
): (values: readonly string[]) => Promise<readonly (Row | null)[]> {
  const loader = new DataLoader<readonly string[], readonly (Row | null)[]>(
    async (lists) => {
      const [first] = lists
      if (lists.length === 1 && first !== undefined) return [await find(first)]
      const rows = await find(lists.flat())
      let end = 0
      return lists.map((list) => {
        end += list.length
        return rows.slice(end - list.length, end)
      })
    },
    { cache: false },
  )
  return (values) => loader.load(values)
}
