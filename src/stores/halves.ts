// Rows that clash, told apart from all others in few statements.

import type { Refusal } from './importer.ts'

/**
 * Adds rows together; where some clash, each half by itself, down to the rows that do.
 * @param attempt adds all of some rows, or none. @returns why none; `null` where they are in
 * @returns the rows that could not go in
 */
export async function addByHalves<Row>(
  rows: readonly Row[],
  attempt: (rows: readonly Row[]) => Promise<string | null>,
  offset = 0,
): Promise<readonly Refusal[]> {
  if (rows.length === 0) return []
  const reason = await attempt(rows)
  if (reason === null) return []
  if (rows.length === 1) return [{ index: offset, reason }]
  const middle = rows.length >> 1
  const first = await addByHalves(rows.slice(0, middle), attempt, offset)
  return [...first, ...(await addByHalves(rows.slice(middle), attempt, offset + middle))]
}
