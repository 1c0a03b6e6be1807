import { fingerprint } from '../../src/fingerprint.ts'

/**
 * Two of these texts with one fingerprint; among 2^32 fingerprints it takes some 80,000 texts to find them.
 */
export function twins(textOf: (index: number) => string): [string, string] {
  const known = new Map<number, string>()
  for (let index = 0; ; index++) {
    const text = textOf(index)
    const twin = known.get(fingerprint(text))
    if (twin !== undefined) return [twin, text]
    known.set(fingerprint(text), text)
  }
}
