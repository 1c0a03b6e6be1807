/** Distinct texts in the cache. Clients of one kind send the same text. */
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
    // Only a hostile client sends so many texts.
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(text, meaning)
    return meaning
  }
}
