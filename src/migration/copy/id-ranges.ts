// The value of `--ids`.

/** In ascending order, without overlaps. */
export type IdRanges = readonly (readonly [first: number, last: number])[]

/** Parses `1-200000` or `1,5,10-20`. @returns null if the text is something else */
export function parseRanges(text: string): IdRanges | null {
  const ranges: [number, number][] = []
  for (const part of text.split(',')) {
    const [, first = '', last = first] = /^\s*(\d{1,16})(?:-(\d{1,16}))?\s*$/.exec(part) ?? []
    const range: [number, number] = [Number(first), Number(last)]
    if (!range.every(Number.isSafeInteger) || range[0] < 1 || range[1] < range[0]) return null
    ranges.push(range)
  }
  return merged(ranges)
}

export function sizeOf(ranges: IdRanges): number {
  return ranges.reduce((size, [first, last]) => size + (last - first + 1), 0)
}

/** @returns at most so many ids, after the first `skipped` */
export function idsFrom(ranges: IdRanges, skipped: number, most: number): string[] {
  const ids: string[] = []
  let skip = skipped
  for (const [first, last] of ranges) {
    for (let id = first + skip; id <= last && ids.length < most; id++) ids.push(String(id))
    skip = Math.max(0, skip - (last - first + 1))
  }
  return ids
}

/** Sorts and joins: an id that is looked up twice would be a duplicate row. */
function merged(ranges: readonly (readonly [number, number])[]): IdRanges {
  const joined: [number, number][] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = joined.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else joined.push([first, last])
  }
  return joined
}
