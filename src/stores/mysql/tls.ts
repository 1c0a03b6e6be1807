// Reads the TLS parameters of a URL, which are those of the programs of MySQL and of MariaDB, in either
// spelling.

import { readFileSync } from 'node:fs'
import type { SslOptions } from 'mysql2'

const encrypted: SslOptions = { rejectUnauthorized: false, verifyIdentity: false }
/** A known authority has signed the certificate of the server. */
const verified: SslOptions = { rejectUnauthorized: true, verifyIdentity: false }
/** The certificate has the name in the URL. */
const identified: SslOptions = { rejectUnauthorized: true, verifyIdentity: true }

/** The values of ssl-mode: MySQL's, then MariaDB's. */
const modes: Readonly<Record<string, SslOptions | null>> = {
  ...{ disabled: null, required: encrypted, verify_ca: verified, verify_identity: identified },
  ...{ disable: null, trust: encrypted, 'verify-ca': verified, 'verify-full': identified },
}

/** The parameters of a URL that are about TLS, by their names without hyphens, underscores and case. */
interface TlsParameters {
  readonly sslmode?: string
  /** Files with the authorities, and with the certificate and key of this client. */
  readonly sslca?: string
  readonly sslcert?: string
  readonly sslkey?: string
}

/**
 * @returns `null` if connections are not encrypted
 * @throws Error if the mode is unknown, or a file cannot be read
 */
export function readTls({ sslmode, sslca, sslcert, sslkey }: TlsParameters): SslOptions | null {
  const files = Object.entries({ ca: sslca, cert: sslcert, key: sslkey }).filter(
    ([, file]) => file !== undefined,
  )
  const options = sslmode === undefined ? files.length > 0 && identified : modes[sslmode.toLowerCase()]
  if (options === undefined)
    throw new Error(`ssl-mode has an unknown value. Set one of ${Object.keys(modes).join(', ')}`)
  if (!options) return null
  const texts = files.map(([name, file = '']) => [name, readFileSync(file, 'utf8')] as const)
  return { ...options, ...Object.fromEntries(texts) }
}
