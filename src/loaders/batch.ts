import DataLoader from 'dataloader'
import { LookupError } from '../errors.ts'
import type { Awaitable } from '../stores/store.ts'

/** Finds one item per value, in order; `null` where nothing matches. */
export type Find<Row> = (values: readonly string[]) => Awaitable<readonly (Row | null)[]>

/** How many questions one call of the store may answer. */
const MAX_LISTS = 64

/**
 * Batching, explained once.
 *
 * Every `users(…)` or `apps(…)` field of every request, legacy or GraphQL, asks one DataLoader that belongs to
 * the whole process. It hands over what has come together once all input that was waiting has been read (Node's
 * `setImmediate`): fields of one request meet, and so do requests that arrive at once. They become one call of the
 * store, whose answer is cut up again. No timer is involved: a lone request waits for nobody.
 *
 * A key is a whole list of values rather than one value: a request for 100 users then costs one promise instead
 * of 100. Nothing is cached, so a change of the data is visible to the next request.
 */
export function batchLists<Row>(
  find: Find<Row>,
): (values: readonly string[]) => Promise<readonly (Row | null)[]> {
  const loader = new DataLoader<readonly string[], readonly (Row | null)[]>(
    async (lists) => {
      const [first] = lists
      if (lists.length === 1 && first !== undefined) return [await find(first)]
      try {
        return cut(await find(lists.flat()), lists)
      } catch (error) {
        if (error instanceof LookupError) throw error
        // A row that cannot be read (a number out of range, say) is the trouble of those who asked for it.
        return Promise.all(lists.map((list) => findAlone(find, list)))
      }
    },
    { cache: false, maxBatchSize: MAX_LISTS, batchScheduleFn: (run) => setImmediate(run) },
  )
  return (values) => loader.load(values)
}

function cut<Row>(rows: readonly Row[], lists: readonly (readonly string[])[]): (readonly Row[])[] {
  let end = 0
  return lists.map((list) => {
    end += list.length
    return rows.slice(end - list.length, end)
  })
}

async function findAlone<Row>(
  find: Find<Row>,
  list: readonly string[],
): Promise<readonly (Row | null)[] | Error> {
  try {
    return await find(list)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
