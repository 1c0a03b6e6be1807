// TLS, by the parameters of a URL: those of MySQL's own programs and of MariaDB's, in the spelling of either.

import { readFileSync } from 'node:fs'
import type { SslOptions } from 'mysql2'

interface Level {
  readonly isEncrypted: boolean
  /** Whether an authority that is known has to have signed the certificate of the server, */
  readonly isVerified: boolean
  /** and for the name in the URL. */
  readonly isNamed: boolean
}

const off: Level = { isEncrypted: false, isVerified: false, isNamed: false }
const encrypted: Level = { ...off, isEncrypted: true }
const verified: Level = { ...encrypted, isVerified: true }
const identified: Level = { ...verified, isNamed: true }

/** The values of ssl-mode: MySQL's, then MariaDB's. */
const levels: Readonly<Record<string, Level>> = {
  disabled: off,
  required: encrypted,
  verify_ca: verified,
  verify_identity: identified,
  disable: off,
  trust: encrypted,
  'verify-ca': verified,
  'verify-full': identified,
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
 * @returns `null` where connections are not encrypted
 * @throws Error where the mode is none, or a file cannot be read
 */
export function readTls({ sslmode, sslca, sslcert, sslkey }: TlsParameters): SslOptions | null {
  const files = { ca: sslca, cert: sslcert, key: sslkey }
  const hasFiles = Object.values(files).some((file) => file !== undefined)
  const level = sslmode === undefined ? (hasFiles ? identified : off) : levels[sslmode.toLowerCase()]
  if (level === undefined)
    throw new Error(`ssl-mode has an unknown value. Set one of ${Object.keys(levels).join(', ')}`)
  if (!level.isEncrypted) return null
  const texts = Object.entries(files).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readFileSync(file, 'utf8')] as const],
  )
  return {
    ...Object.fromEntries(texts),
    rejectUnauthorized: level.isVerified,
    verifyIdentity: level.isNamed,
  }
}
