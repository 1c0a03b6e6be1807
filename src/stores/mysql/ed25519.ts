// MariaDB's login by ed25519: MariaDB hashes a password of any length, and the standard hashes a secret of 32
// bytes. All else is the same.

import { createHash } from 'node:crypto'
import type { AuthPlugin } from 'mysql2'

/** The bytes of a secret, and of the challenge that the server sends. */
const BYTES = 32

const sha512 = (bytes: Uint8Array | string) => createHash('sha512').update(bytes).digest()

/** The plugin of the driver: it signs the challenge of the server. */
export const signIn: AuthPlugin = ({ connection }) => {
  const { password = '' } = connection.config
  return async (challenge) => {
    // Loaded here, since few servers use it.
    const { hashes, sign } = await import('@noble/ed25519')
    // The library hashes this in place of the password, and no other message of as many bytes.
    const secret = Buffer.alloc(BYTES)
    hashes.sha512 = (bytes) => sha512(secret.equals(bytes) ? password : bytes)
    return Buffer.from(sign(challenge.subarray(0, BYTES), secret))
  }
}
