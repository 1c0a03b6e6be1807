// The values of a query in lists for one call each.

/** Characters of a query string: some old servers take no more than 8 KiB of address. */
const MAX_QUERY_BYTES = 6000

/** Cuts a list of indexes so that each call has so many distinct values at most, and no too long address. */
export function portionsOf(
  indexes: readonly number[],
  textOf: (index: number) => string,
  maxValues: number,
): number[][] {
  const portions: number[][] = []
  let portion: number[] = []
  let distinct = new Set<string>()
  let length = 0
  for (const index of indexes) {
    const value = textOf(index)
    const size = distinct.has(value) ? 0 : encodeURIComponent(value).length + 1
    const isFull = size > 0 && (distinct.size === maxValues || length + size > MAX_QUERY_BYTES)
    if (isFull && portion.length > 0) {
      portions.push(portion)
      portion = []
      distinct = new Set()
      length = 0
    }
    portion.push(index)
    distinct.add(value)
    length += size
  }
  if (portion.length > 0) portions.push(portion)
  return portions
}

/** Cuts a list into so many parts of about the same length, fewer if it is shorter. */
export function cut<Item>(list: readonly Item[], parts: number): Item[][] {
  const size = Math.ceil(list.length / parts)
  return Array.from({ length: Math.ceil(list.length / size) }, (_, part) =>
    list.slice(part * size, (part + 1) * size),
  )
}
