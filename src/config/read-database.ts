// Makes the location of the data, and what requests to old services need, out of values of the table.

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
import type { Values } from './settings.ts'
import { findText, originOf, readSecretFile, type Sources } from './sources.ts'

/** Takes a complaint if something is wrong. */
export type Complain = (isWrong: boolean, complaint: string) => void

/** @throws SettingError */
export function locateDatabase(
  values: Values['database'],
  dialect: Dialect,
  sources: Sources,
  complain: Complain,
): DatabaseLocation {
  const { url: chosen, replicas, headers, connections, timeout, maxLag, dirtyReads, mmap, maxValues } = values
  const isServer = chosen.kind === 'postgres' || chosen.kind === 'mysql'
  complain(
    dirtyReads && chosen.kind !== 'mysql',
    'DATABASE_DIRTY_READS=on needs a DATABASE_URL of MySQL or MariaDB: it is about nodes of Galera.',
  )
  // A flag is for one run, such as an import into another database.
  const isFlag = findText('DATABASE_URL', sources)?.source === 'flag'
  complain(
    chosen.kind !== 'old-service' && !isFlag && hasAny(headers),
    'DATABASE_HEADERS needs a DATABASE_URL of an old service: requests to it carry them.',
  )
  complain(
    replicas.length > 0 && !isServer,
    'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL or MySQL: the primary of the replicas.',
  )
  complain(
    isServer && replicas.some((url) => serverKindOf(url) !== chosen.kind),
    'DATABASE_REPLICA_URLS names servers of another kind than DATABASE_URL. Name replicas of that server.',
  )
  if (chosen.kind === 'sqlite') return { ...chosen, mmap }
  if (chosen.kind === 'old-service') {
    const all = addLogin('DATABASE', chosen, headers, complain)
    return { kind: chosen.kind, url: chosen.url, headers: all, connections, timeout, maxValues, dialect }
  }
  const servers = { ...addPasswords(chosen.url, values, sources, complain), connections, timeout, maxLag }
  if (chosen.kind === 'mysql') return { kind: chosen.kind, ...servers, dirtyReads }
  return { kind: chosen.kind, ...servers }
}

/** Adds the password of the file to the URLs of all servers, and tells which files these come from. */
function addPasswords(
  primaryUrl: string,
  { urlFile, replicas, replicasFile, passwordFile }: Values['database'],
  sources: Sources,
  complain: Complain,
) {
  const found = passwordFile === null ? null : findText('DATABASE_PASSWORD_FILE', sources)
  const password = found && readSecretFile(found)
  const own = findText('DATABASE_URL', sources)
  // The URL of a flag may have its own password.
  const isComplete = own?.source === 'flag' && hasPassword(primaryUrl)
  const files = {
    DATABASE_URL: { url: own === null ? urlFile : null, password: isComplete ? null : passwordFile },
    DATABASE_REPLICA_URLS: {
      url: findText('DATABASE_REPLICA_URLS', sources) === null ? replicasFile : null,
      password: passwordFile,
    },
  }
  const complete = (setting: DatabaseSetting, urls: readonly string[]) => {
    if (found === null || password === null || files[setting].password === null) return urls
    const complaint = `${setting} has a password, and so has ${originOf(found)}. Remove one of them.`
    complain(urls.some(hasPassword), complaint)
    return urls.map((url) => withPassword(url, password))
  }
  const [url = primaryUrl, ...peers] = complete('DATABASE_URL', splitHosts(primaryUrl))
  const servers = { url, peers, replicas: complete('DATABASE_REPLICA_URLS', replicas.flatMap(splitHosts)) }
  const hasFiles = (urlFile ?? replicasFile ?? passwordFile) !== null
  return hasFiles ? { ...servers, files } : servers
}

export function readCutover(values: Values['cutover'], complain: Complain) {
  const { url: address, headers, headersFile: _, ...others } = values
  complain(
    address === null && others.share > 0,
    'CUTOVER_SHARE needs a CUTOVER_URL: the old service of the other clients. Without both, the gateway answers every client.',
  )
  complain(
    address === null && others.fallback,
    'CUTOVER_FALLBACK=on needs a CUTOVER_URL: the old service to fall back to.',
  )
  const url = address?.url ?? null
  return Object.freeze({ url, headers: addLogin('CUTOVER', address, headers, complain), ...others })
}

/** @param isCutOver whether CUTOVER_URL can stand in for SHADOW_URL */
export function readShadow(values: Values['shadow'], isCutOver: boolean, complain: Complain) {
  const { url: address, headers, sample, ignore, tolerate, learn } = values
  const contradiction = contradictionIn({ ignore, tolerate })
  complain(
    contradiction !== null,
    `SHADOW_IGNORE and SHADOW_TOLERATE: ${contradiction}. Remove one of the two.`,
  )
  complain(
    address === null && sample > 0,
    'SHADOW_SAMPLE needs a SHADOW_URL: the old service to compare with.',
  )
  complain(
    address === null && !isCutOver && (ignore.length + tolerate.length > 0 || learn),
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
  complain(
    address === null && hasAny(headers),
    `${prefix}_HEADERS needs a ${prefix}_URL: the old service that requests with them go to.`,
  )
  const all = withLogin(headers, address?.authorization ?? null)
  complain(
    all === null,
    `${prefix}_URL has a login, and ${prefix}_HEADERS has an Authorization header. Remove one of them.`,
  )
  return all ?? headers
}

const hasAny = (headers: ServiceHeaders) => Object.keys(headers).length > 0
