/** Distinct texts in the cache. All clients of one kind send the same text. */
const MAX_CACHED = 200

/**
 * Parses a header once for each distinct text, and caches the result. A text above `maxLength` characters is
 * cut and not cached.
 */
export function createHeaderReader<Meaning>(maxLength: number, read: (text: string) => Meaning) {
  const cache = new Map<string, Meaning>()

  return (text: string): Meaning => {
    const known = cache.get(text)
    if (known !== undefined) return known
    if (text.length > maxLength) return read(text.slice(0, maxLength))
    const meaning = read(text)
    // A client that sends a new text each time empties the cache now and then.
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(text, meaning)
    return meaning
  }
}
