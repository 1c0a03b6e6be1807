/** Differs from process to process, so that no client can know which texts share a number. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0

/**
 * A 32-bit number for a text, equal for equal texts (FNV-1a, mixed so that all bits are equally good). A map
 * with such keys costs a fraction of one whose keys are texts fresh from the network. Two texts may share a
 * number, so that what is found has to be compared.
 */
export function fingerprint(text: string): number {
  let hash = SEED
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 16)
}
