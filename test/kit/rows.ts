import type { Item } from '../../src/stores/store.ts'

/** The rows, for a test that needs all of them. @throws the first error among the items */
export function rowsOf<Row extends object>(items: readonly Item<Row>[]): (Row | null)[] {
  return items.map((item) => {
    if (item instanceof Error) throw item
    return item
  })
}
