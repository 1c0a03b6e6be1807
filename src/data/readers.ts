// Readers of what a store has in a column: the value of an answer, or `undefined` where no answer can carry
// it. Views may have NULLs; integers may be `bigint`, and NaN where they are too large.

export function readInt32(stored: unknown): number | undefined {
  const number = Number(stored)
  return (number | 0) === number ? number : undefined
}

export function readInt53(stored: unknown): number | undefined {
  const number = Number(stored)
  return Number.isSafeInteger(number) ? number : undefined
}

/** SQLite keeps any text in any column: 'false' would be true. */
export function readBoolean(stored: unknown): boolean | undefined {
  return typeof stored === 'string' ? undefined : Boolean(stored)
}

export function readText(stored: unknown): string {
  return String(stored ?? '')
}
