/**
 * A 32-bit number for a text, equal for equal texts (FNV-1a, mixed so that all bits are equally good). A map with such
 * keys costs a fraction of one with texts that come from the network, which V8 would have to intern first; two texts
 * may share one, so that what is found has to be compared.
 */
export function fingerprint(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 16)
}
