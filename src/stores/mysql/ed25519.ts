// MariaDB's login by ed25519. Unlike in the standard, the key is derived from a password of any length, so
// that no library has the whole.

import { createHash } from 'node:crypto'
import type { AuthPlugin } from 'mysql2'

const SEED_BYTES = 32

/** The plugin of the driver: it signs the challenge of the server. */
export const signIn: AuthPlugin = ({ connection }) => {
  const { password } = connection.config
  return async (challenge) => sign(challenge.subarray(0, SEED_BYTES), password ?? '')
}

/** @returns the signature of a message by a password */
async function sign(message: Buffer, password: string): Promise<Buffer> {
  // Loaded here, since few servers use it.
  const { etc, Point } = await import('@noble/ed25519')
  const { n: order } = Point.CURVE()
  const scalarOf = (...parts: readonly Uint8Array[]) =>
    etc.mod(numberOf(createHash('sha512').update(Buffer.concat(parts)).digest()), order)

  const secret = createHash('sha512').update(password).digest()
  const clamped = Buffer.from(secret.subarray(0, SEED_BYTES))
  clamped[0] = (clamped[0] ?? 0) & 0xf8
  clamped[31] = ((clamped[31] ?? 0) & 0x3f) | 0x40
  const key = etc.mod(numberOf(clamped), order)
  const publicKey = Point.BASE.multiply(key).toBytes()
  const nonce = scalarOf(secret.subarray(SEED_BYTES), message)
  const commitment = Point.BASE.multiply(nonce).toBytes()
  const response = etc.mod(nonce + scalarOf(commitment, publicKey, message) * key, order)
  return Buffer.concat([commitment, bytesOf(response)])
}

/** Numbers are little-endian. */
function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}

function bytesOf(number: bigint): Buffer {
  return Buffer.from(number.toString(16).padStart(2 * SEED_BYTES, '0'), 'hex').reverse()
}
