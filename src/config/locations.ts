// The settings of databases and old services: what several of them mean together, and which contradict each
// other.

import type { Dialect } from '../legacy/dialect.ts'
import {
  type DatabaseLocation,
  type DatabaseSetting,
  hasPassword,
  serverKindOf,
  splitHosts,
  withPassword,
} from './database.ts'
import { contradictionIn } from './noise.ts'
import { type ServiceAddress, type ServiceHeaders, withLogin } from './old-service.ts'
import type { ConfigValues } from './settings.ts'
import { findText, originOf, readSecretFile, type SettingSources } from './sources.ts'

type Complain = (complaint: string) => void

/** @throws SettingError */
export function locateDatabase(
  values: ConfigValues['database'],
  dialect: Dialect,
  sources: SettingSources,
  complain: Complain,
): DatabaseLocation {
  const { url: chosen, replicas, headers, connections, timeout, maxLag, maxValues } = values
  const { mmap, allowScans } = values
  const isServer = chosen.kind === 'postgres' || chosen.kind === 'mysql'
  if (allowScans && chosen.kind !== 'sqlite')
    complain(
      'DATABASE_ALLOW_SCANS=on needs a DATABASE_URL of SQLite. Remove it: servers run scans beside others.',
    )
  // A flag is for one run, such as an import into another database: ignore headers of the configured
  // database.
  const isFlag = findText('DATABASE_URL', sources)?.source === 'flag'
  if (chosen.kind !== 'old-service' && !isFlag && hasAny(headers))
    complain('DATABASE_HEADERS needs a DATABASE_URL of an old service, which gets these headers.')
  if (replicas.length > 0 && !isServer)
    complain(
      'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL or MySQL: the primary of the replicas.',
    )
  if (isServer && replicas.some((url) => serverKindOf(url) !== chosen.kind))
    complain(
      'DATABASE_REPLICA_URLS names servers of another kind than DATABASE_URL. Name replicas of that server.',
    )
  if (chosen.kind === 'sqlite') return { ...chosen, mmap, allowScans }
  if (chosen.kind === 'old-service') {
    const all = addLogin('DATABASE', chosen, headers, complain)
    return { kind: chosen.kind, url: chosen.url, headers: all, connections, timeout, maxValues, dialect }
  }
  const servers = addPasswords(chosen.url, values, sources, complain)
  return { kind: chosen.kind, ...servers, connections, timeout, maxLag }
}

/** Adds the password of the file to the URLs of all servers. */
function addPasswords(
  primaryUrl: string,
  { replicas, passwordFile }: ConfigValues['database'],
  sources: SettingSources,
  complain: Complain,
) {
  const found = passwordFile === null ? null : findText('DATABASE_PASSWORD_FILE', sources)
  const password = found && readSecretFile(found)
  const own = findText('DATABASE_URL', sources)
  const pathOf = (name: DatabaseSetting) => findText(`${name}_FILE`, sources)?.text ?? null
  // The URL of a flag may have its own password.
  const isComplete = own?.source === 'flag' && hasPassword(primaryUrl)
  const files = {
    DATABASE_URL: {
      url: own === null ? pathOf('DATABASE_URL') : null,
      password: isComplete ? null : passwordFile,
    },
    DATABASE_REPLICA_URLS: { url: pathOf('DATABASE_REPLICA_URLS'), password: passwordFile },
  }
  const complete = (setting: DatabaseSetting, urls: readonly string[]) => {
    if (found === null || password === null || files[setting].password === null) return urls
    if (urls.some(hasPassword))
      complain(`${setting} has a password, and so has ${originOf(found)}. Remove one of them.`)
    return urls.map((url) => withPassword(url, password))
  }
  const [url = primaryUrl, ...peers] = complete('DATABASE_URL', splitHosts(primaryUrl))
  const servers = { url, peers, replicas: complete('DATABASE_REPLICA_URLS', replicas.flatMap(splitHosts)) }
  const { DATABASE_URL, DATABASE_REPLICA_URLS } = files
  const hasFiles = (DATABASE_URL.url ?? DATABASE_REPLICA_URLS.url ?? passwordFile) !== null
  return hasFiles ? { ...servers, files } : servers
}

export function readCutover(values: ConfigValues['cutover'], complain: Complain) {
  const { url: address, headers, ...others } = values
  if (address === null && Math.max(others.share.share, ...Object.values(others.share.events)) > 0)
    complain(
      'CUTOVER_SHARE needs a CUTOVER_URL: the old service of the other clients. Without both, the gateway answers every client.',
    )
  if (address === null && others.fallback)
    complain('CUTOVER_FALLBACK=on needs a CUTOVER_URL: the old service to fall back to.')
  if (address === null && others.mirror > 0)
    complain('CUTOVER_MIRROR needs a CUTOVER_URL: the old service whose responses are compared.')
  if (address === null && others.pins.length > 0)
    complain('CUTOVER_PINS needs a CUTOVER_URL: the old service of the other clients.')
  const url = address?.url ?? null
  return Object.freeze({ url, headers: addLogin('CUTOVER', address, headers, complain), ...others })
}

/** @param isCutOver whether CUTOVER_URL is set: a cutover compares responses with it, too */
export function readShadow(values: ConfigValues['shadow'], isCutOver: boolean, complain: Complain) {
  const { url: address, headers, sample, ignore, tolerate, learn } = values
  const contradiction = contradictionIn({ ignore, tolerate })
  if (contradiction !== null)
    complain(`SHADOW_IGNORE and SHADOW_TOLERATE: ${contradiction}. Remove one of the two.`)
  if (address === null && sample > 0)
    complain('SHADOW_SAMPLE needs a SHADOW_URL: the old service to compare with.')
  if (address === null && !isCutOver && (ignore.length + tolerate.length > 0 || learn))
    complain(
      'SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN need a SHADOW_URL: the old service to compare with.',
    )
  const noise = Object.freeze({ ignore, tolerate, learn })
  const url = address?.url ?? null
  return Object.freeze({ url, headers: addLogin('SHADOW', address, headers, complain), sample, noise })
}

/** @param prefix of the names of its settings */
function addLogin(
  prefix: 'DATABASE' | 'SHADOW' | 'CUTOVER',
  address: ServiceAddress | null,
  headers: ServiceHeaders,
  complain: Complain,
): ServiceHeaders {
  if (address === null && hasAny(headers))
    complain(`${prefix}_HEADERS needs a ${prefix}_URL: the old service that gets these headers.`)
  const all = withLogin(headers, address?.authorization ?? null)
  if (all === null)
    complain(
      `${prefix}_URL has a login, and ${prefix}_HEADERS has an Authorization header. Remove one of them.`,
    )
  return all ?? headers
}

const hasAny = (headers: ServiceHeaders) => Object.keys(headers).length > 0
