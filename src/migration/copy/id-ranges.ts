/** Stretches of ids, each with its first and its last. */
export type Ranges = readonly (readonly [first: number, last: number])[]

/** Reads `1-200000` or `1,5,10-20`. @returns `null` where it is none of that */
export function parseRanges(text: string): Ranges | null {
  const ranges: [number, number][] = []
  for (const part of text.split(',')) {
    const [, first = '', last = first] = /^\s*(\d{1,16})(?:-(\d{1,16}))?\s*$/.exec(part) ?? []
    const range: [number, number] = [Number(first), Number(last)]
    if (!range.every(Number.isSafeInteger) || range[0] < 1 || range[1] < range[0]) return null
    ranges.push(range)
  }
  return merged(ranges)
}

export function sizeOf(ranges: Ranges): number {
  return ranges.reduce((size, [first, last]) => size + (last - first + 1), 0)
}

/** So many ids, after the first so many. */
export function idsFrom(ranges: Ranges, skipped: number, most: number): string[] {
  const ids: string[] = []
  let skip = skipped
  for (const [first, last] of ranges) {
    for (let id = first + skip; id <= last && ids.length < most; id++) ids.push(String(id))
    skip = Math.max(0, skip - (last - first + 1))
  }
  return ids
}

/** In their order, and none twice: what is asked for twice would be a row that is there already. */
function merged(ranges: readonly (readonly [number, number])[]): Ranges {
  const apart: [number, number][] = []
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = apart.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else apart.push([first, last])
  }
  return apart
}
