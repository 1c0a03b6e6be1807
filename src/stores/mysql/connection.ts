// How to connect to MySQL and MariaDB: a URL, with the parameters that their own programs have.

import { readFileSync } from 'node:fs'
import type { ConnectionOptions, SslOptions } from 'mysql2'
import { messageOf } from '../../text.ts'
import type { ConnectionLimits } from '../servers/driver.ts'
import { unknownParameter, WrongUrl } from '../servers/errors.ts'
import { signIn } from './ed25519.ts'
import { DEFAULT_PORT } from './errors.ts'

/** A URL as the driver takes it. */
export interface MysqlConfig {
  readonly options: ConnectionOptions
  /** The path of a Unix socket, or a host and its port. */
  readonly target: { readonly path: string } | { readonly host: string; readonly port: number }
  readonly limits: ConnectionLimits
}

/** The parameters that a URL may have, by their names without hyphens, underscores and case. */
const parameters = ['user', 'password', 'socket', 'sslmode', 'sslca', 'sslcert', 'sslkey'] as const
type UrlParameters = Partial<Record<(typeof parameters)[number], string>>

const authPlugins = { client_ed25519: signIn }
/** Statements have no placeholders, so the driver must not replace a question mark in a text. */
const asItIs = (text: string) => text

/** @throws WrongUrl */
export function connectionTo(url: string, limits: ConnectionLimits): MysqlConfig {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url)
  const given = readParameters(searchParams)
  const host = decodeURIComponent(hostname.replace(/^\[(.*)\]$/, '$1')) || 'localhost'
  const ssl = readTls(given)
  return {
    options: {
      user: decodeURIComponent(username) || (given.user ?? ''),
      password: decodeURIComponent(password) || (given.password ?? ''),
      database: decodeURIComponent(pathname.slice(1)),
      // The certificate of the server is checked for this name.
      host,
      ...(ssl !== null && { ssl }),
      // caching_sha2_password sends the password in clear text over a socket, and encrypted otherwise.
      ...(given.socket !== undefined && { socketPath: given.socket }),
      connectTimeout: limits.connectTimeout,
      charset: 'utf8mb4',
      // Integers beyond 2^53 come as texts, so that the log names a refused row by its exact id.
      supportBigNumbers: true,
      rowsAsArray: true,
      jsonStrings: true,
      // A server may not ask for files of this machine.
      flags: ['-LOCAL_FILES'],
      queryFormat: asItIs,
      connectAttributes: { program_name: 'lookup-service' },
      authPlugins,
    },
    target:
      given.socket === undefined ? { host, port: Number(port) || DEFAULT_PORT } : { path: given.socket },
    limits,
  }
}

function readParameters(searchParams: URLSearchParams): UrlParameters {
  const found: UrlParameters = {}
  for (const [spelt, value] of searchParams) {
    const name = parameters.find((known) => known === spelt.replace(/[-_]/g, '').toLowerCase())
    if (name === undefined)
      throw unknownParameter(spelt, value, 'user, password, socket, ssl-mode, ssl-ca, ssl-cert and ssl-key')
    found[name] = value
  }
  return found
}

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

/** @returns `null` if connections are not encrypted */
function readTls({ sslmode, sslca, sslcert, sslkey }: UrlParameters): SslOptions | null {
  const files = Object.entries({ ca: sslca, cert: sslcert, key: sslkey }).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readFile(file)]],
  )
  const byFiles = files.length > 0 ? identified : null
  const options = sslmode === undefined ? byFiles : modes[sslmode.toLowerCase()]
  if (options === undefined)
    throw new WrongUrl(`ssl-mode has an unknown value. Set one of ${Object.keys(modes).join(', ')}`)
  return options && { ...options, ...Object.fromEntries(files) }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new WrongUrl(messageOf(error))
  }
}
