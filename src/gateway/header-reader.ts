/** Distinct texts of a header whose meaning is kept. Clients of one kind all send the same one. */
const MAX_KEPT = 200

/**
 * Reads a header once for each distinct text of it. At most 200 are kept, and none longer than `maxLength`
 * characters: what is longer is cut before it is read.
 */
export function createHeaderReader<Meaning>(maxLength: number, read: (text: string) => Meaning) {
  const kept = new Map<string, Meaning>()

  return (text: string): Meaning => {
    const known = kept.get(text)
    if (known !== undefined) return known
    if (text.length > maxLength) return read(text.slice(0, maxLength))
    const meaning = read(text)
    // A client that sends a new text each time costs the others a reading now and then.
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(text, meaning)
    return meaning
  }
}
