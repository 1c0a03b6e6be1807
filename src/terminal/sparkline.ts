// Numbers as a line of blocks, one for each; `none` stands for zero.

/** What a terminal shows them with. */
export interface Blocks {
  readonly none: string
  /** From the lowest to the highest. */
  readonly levels: readonly string[]
}

export const blocks: Blocks = { none: '·', levels: [...'▁▂▃▅▇'] }
/** For terminals that have no others. */
export const asciiBlocks: Blocks = { none: '.', levels: [...'_-=*#'] }

/** As many blocks as there are numbers; where these are too many, each block is the average of several. */
export function sparkline(numbers: readonly number[], width: number, { none, levels }: Blocks): string {
  const shown = averaged(numbers, width)
  const highest = Math.max(0, ...shown)
  return shown
    .map((number) => (number === 0 ? none : levels[Math.ceil((number / highest) * levels.length) - 1]))
    .join('')
}

function averaged(numbers: readonly number[], width: number): readonly number[] {
  if (numbers.length <= width) return numbers
  return Array.from({ length: width }, (_, place) => {
    const few = numbers.slice(
      Math.floor((place * numbers.length) / width),
      Math.floor(((place + 1) * numbers.length) / width),
    )
    return few.reduce((sum, number) => sum + number, 0) / few.length
  })
}
