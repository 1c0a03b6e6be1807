/** A seed of this process, so that no client can choose texts with the same hash. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0

/**
 * A 32-bit hash of a text (FNV-1a with mixed bits). A map with such keys costs a fraction of a map whose keys
 * are strings fresh from the network, which V8 hashes anew. Compare the text of a found entry: two texts may
 * share a hash.
 */
export function fingerprint(text: string): number {
  let hash = SEED
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 16)
}
