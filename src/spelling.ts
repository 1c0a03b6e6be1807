// Finds the known name that a misspelt name probably means.

/**
 * Whether two names differ by so many edits at most (Levenshtein). Two letters that changed places are one
 * edit: PROT is PORT. For most names, the first letters decide.
 */
function isWithin(most: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > most) return false
  let earlier: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      const swapped =
        to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
          ? (earlier[to - 2] ?? 0) + 1
          : replaced
      next.push(Math.min(replaced, swapped, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return false
    earlier = row
    row = next
  }
  return (row[other.length] ?? 0) <= most
}

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
  if (text.length > MAX_COMPARED_LENGTH) return null
  const wanted = plain(text)
  if (wanted === '') return null
  const same = known.find((name) => plain(name) === wanted)
  if (same !== undefined) return same
  for (let edits = 1; edits <= (wanted.length < shortLength ? 1 : MAX_EDITS); edits++) {
    const like = known.find(
      (name) => name.length <= MAX_COMPARED_LENGTH && isWithin(edits, plain(name), wanted),
    )
    if (like !== undefined) return like
  }
  return null
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}
