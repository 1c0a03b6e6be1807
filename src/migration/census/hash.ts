import { createHmac } from 'node:crypto'

/** Characters of a hash: 64 bits, so that two of 20,000 clients are never one. */
const HASH_LENGTH = 16

/** There are few enough addresses to try them all, but for the key. */
export function createHash(key: Buffer | string): (address: string) => string {
  return (address) => `#${createHmac('sha256', key).update(address).digest('hex').slice(0, HASH_LENGTH)}`
}
