// Readers of what a store has in a column: the value of an answer, or `undefined` where no answer can carry it.
// Views may have NULLs; integers may be `bigint`, and NaN where they are too large. SQLite keeps any value in any
// column: a text or a BLOB must not become a number, nor 'false' become true.

export function readInt32(stored: unknown): number | undefined {
  const number = toNumber(stored)
  return (number | 0) === number ? number : undefined
}

export function readInt53(stored: unknown): number | undefined {
  const number = toNumber(stored)
  return Number.isSafeInteger(number) ? number : undefined
}

function toNumber(stored: unknown): number {
  if (typeof stored === 'number') return stored
  return typeof stored === 'bigint' || stored === null ? Number(stored) : Number.NaN
}

export function readBoolean(stored: unknown): boolean | undefined {
  switch (typeof stored) {
    case 'boolean':
      return stored
    case 'number':
    case 'bigint':
      return Boolean(stored)
    default:
      return stored === null ? false : undefined
  }
}

export function readText(stored: unknown, maxLength: number): string | undefined {
  if (typeof stored === 'string') return stored.length > maxLength ? undefined : stored
  return stored === null ? '' : undefined
}
