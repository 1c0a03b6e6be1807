// Finds the known name that a misspelt name probably means.

/** Characters of a text that is compared. A longer text is no misspelt name. */
const MAX_COMPARED_LENGTH = 40
/** Edits in a misspelt name. In a short name, one. */
const MAX_EDITS = 2

/**
 * Ignores case and all characters but letters and digits.
 * @returns `null` if no name is within a few edits
 * @param shortLength the length below which a text may differ by one edit only
 */
export function nearest(text: string, known: readonly string[], shortLength = 4): string | null {
  const wanted = plain(text)
  if (wanted === '' || text.length > MAX_COMPARED_LENGTH) return null
  for (let edits = 0; edits <= (wanted.length < shortLength ? 1 : MAX_EDITS); edits++) {
    const like = known.find((name) => isWithin(edits, plain(name), wanted))
    if (like !== undefined) return like
  }
  return null
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Whether so many edits at most make one name of the other. Two letters that change places are one edit. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other || edits === 0) return one === other
  let at = 0
  while (one[at] === other[at]) at++
  const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at]
  const isWithinFrom = (from: number, to: number) =>
    isWithin(edits - 1, one.slice(at + from), other.slice(at + to))
  return isWithinFrom(1, 1) || isWithinFrom(1, 0) || isWithinFrom(0, 1) || (isSwapped && isWithinFrom(2, 2))
}
