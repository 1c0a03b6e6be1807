import type { Item } from './store.ts'

/** The rows of an answer, for callers that need all of them. @throws the first failure among the items */
export function rowsOf<Row extends object>(items: readonly Item<Row>[]): (Row | null)[] {
  return items.map((item) => {
    if (item instanceof Error) throw item
    return item
  })
}
