// The settings of databases and old services: what several of them mean together, and which settings
// contradict each other.

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
import { findText, originOf, readSecretFile, SettingError, type SettingSources } from './sources.ts'

/** A complaint, or `false` if there is no reason for it. */
type Complaint = string | false

/** @returns the complaints about settings of the database that contradict each other */
export function databaseComplaints(
  { url, replicas, headers, allowScans }: ConfigValues['database'],
  sources: SettingSources,
): readonly Complaint[] {
  const { kind } = url
  const isServer = kind === 'postgres' || kind === 'mysql'
  const isOther = isServer && replicas.some((replica) => serverKindOf(replica) !== kind)
  // A flag is for one run, such as an import into another database: ignore headers of the configured
  // database.
  const isFlag = findText('DATABASE_URL', sources)?.source === 'flag'
  const hasHeaders = kind !== 'old-service' && !isFlag && hasAny(headers)
  return [
    allowScans &&
      kind !== 'sqlite' &&
      'DATABASE_ALLOW_SCANS=on needs a DATABASE_URL of SQLite. Remove it: servers run scans beside others.',
    hasHeaders && 'DATABASE_HEADERS needs a DATABASE_URL of an old service, which gets these headers.',
    replicas.length > 0 &&
      !isServer &&
      'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL or MySQL: the primary of the replicas.',
    isOther &&
      'DATABASE_REPLICA_URLS names servers of another kind than DATABASE_URL. Name replicas of that server.',
    kind === 'old-service' && loginComplaint('DATABASE', url, headers),
  ]
}

/** @returns the complaints about all other settings that contradict each other */
export function complaintsOf(values: ConfigValues): readonly Complaint[] {
  const { cutover, shadow, trustedDocuments, federation, legacy } = values
  const isCutOver = cutover.url !== null
  const isShared = Math.max(cutover.share.share, ...Object.values(cutover.share.events)) > 0
  const lacksCutover = (isSet: boolean, name: string, purpose: string): Complaint =>
    !isCutOver && isSet && `${name} needs a CUTOVER_URL: the old service ${purpose}.`
  const lacksShadow = (isSet: boolean, names: string): Complaint =>
    shadow.url === null && isSet && `${names} a SHADOW_URL: the old service to compare with.`
  const hasNoise = shadow.ignore.length + shadow.tolerate.length > 0 || shadow.learn
  const contradiction = contradictionIn(shadow)
  const { deprecation, sunset } = legacy
  return [
    lacksCutover(isShared, 'CUTOVER_SHARE', 'of the other clients'),
    lacksCutover(cutover.fallback, 'CUTOVER_FALLBACK=on', 'to fall back to'),
    lacksCutover(cutover.mirror > 0, 'CUTOVER_MIRROR', 'whose responses are compared'),
    lacksCutover(cutover.pins.length > 0, 'CUTOVER_PINS', 'of the other clients'),
    loginComplaint('CUTOVER', cutover.url, cutover.headers),
    contradiction !== null && `SHADOW_IGNORE and SHADOW_TOLERATE: ${contradiction}. Remove one of the two.`,
    lacksShadow(shadow.sample > 0, 'SHADOW_SAMPLE needs'),
    // A cutover compares responses with CUTOVER_URL, too.
    lacksShadow(hasNoise && !isCutOver, 'SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN need'),
    loginComplaint('SHADOW', shadow.url, shadow.headers),
    trustedDocuments.only &&
      trustedDocuments.manifest === null &&
      'GRAPHQL_ONLY_DOCUMENTS=on needs GRAPHQL_DOCUMENTS: the manifest of these documents.',
    trustedDocuments.only &&
      federation &&
      'FEDERATION=on needs GRAPHQL_ONLY_DOCUMENTS=off: a router writes queries of its own, which no manifest has.',
    // RFC 9745 section 4.
    deprecation !== null &&
      sunset !== null &&
      sunset < deprecation &&
      'LEGACY_SUNSET is earlier than LEGACY_DEPRECATION: an interface is deprecated before it stops answering. Set a later sunset, or an earlier deprecation.',
  ]
}

/** @param prefix of the names of the settings */
function loginComplaint(prefix: string, address: ServiceAddress | null, headers: ServiceHeaders): Complaint {
  if (address === null)
    return (
      hasAny(headers) && `${prefix}_HEADERS needs a ${prefix}_URL: the old service that gets these headers.`
    )
  return (
    withLogin(headers, address.authorization) === null &&
    `${prefix}_URL has a login, and ${prefix}_HEADERS has an Authorization header. Remove one of them.`
  )
}

const hasAny = (headers: ServiceHeaders) => Object.keys(headers).length > 0

/** The old service of a cutover or a comparison, if there is one. */
function targetOf(address: ServiceAddress | null, headers: ServiceHeaders) {
  return { url: address?.url ?? null, headers: withLogin(headers, address?.authorization ?? null) ?? headers }
}

export function cutoverOf({ url, headers, ...others }: ConfigValues['cutover']) {
  return Object.freeze({ ...others, ...targetOf(url, headers) })
}

export function shadowOf({ url, headers, sample, ...noise }: ConfigValues['shadow']) {
  return Object.freeze({ ...targetOf(url, headers), sample, noise: Object.freeze(noise) })
}

/** @throws SettingError */
export function locateDatabase(
  values: ConfigValues['database'],
  dialect: Dialect,
  sources: SettingSources,
): DatabaseLocation {
  const { url: chosen, headers, connections, timeout, maxLag, maxValues, allowScans } = values
  if (chosen.kind === 'sqlite') return { ...chosen, allowScans }
  if (chosen.kind === 'old-service') {
    const all = withLogin(headers, chosen.authorization) ?? headers
    return { kind: chosen.kind, url: chosen.url, headers: all, connections, timeout, maxValues, dialect }
  }
  const servers = addPasswords(chosen.url, values, sources)
  return { kind: chosen.kind, ...servers, connections, timeout, maxLag }
}

/**
 * The URLs of all servers, with the password of DATABASE_PASSWORD_FILE, and the files that have secrets.
 * @throws SettingError
 */
function addPasswords(
  primaryUrl: string,
  { replicas, passwordFile }: ConfigValues['database'],
  sources: SettingSources,
) {
  const chosen = findText('DATABASE_URL', sources)
  const pathOf = (name: DatabaseSetting) => findText(`${name}_FILE`, sources)?.text ?? null
  // A flag is for one run, and its URL may have a password of its own.
  const hasOwnPassword = chosen?.source === 'flag' && hasPassword(primaryUrl)
  const files = {
    DATABASE_URL: {
      url: chosen === null ? pathOf('DATABASE_URL') : null,
      password: hasOwnPassword ? null : passwordFile,
    },
    DATABASE_REPLICA_URLS: { url: pathOf('DATABASE_REPLICA_URLS'), password: passwordFile },
  }
  const fileSetting = passwordFile === null ? null : findText('DATABASE_PASSWORD_FILE', sources)
  const password = fileSetting && readSecretFile(fileSetting)
  const addTo = (name: DatabaseSetting, urls: readonly string[]) => {
    if (fileSetting === null || password === null || files[name].password === null) return urls
    if (urls.some(hasPassword))
      throw new SettingError(
        `${name} has a password, and so has ${originOf(fileSetting)}. Remove one of them.`,
      )
    return urls.map((url) => withPassword(url, password))
  }
  const [url = primaryUrl, ...peers] = addTo('DATABASE_URL', splitHosts(primaryUrl))
  const servers = { url, peers, replicas: addTo('DATABASE_REPLICA_URLS', replicas.flatMap(splitHosts)) }
  const { DATABASE_URL, DATABASE_REPLICA_URLS } = files
  const hasFiles = (DATABASE_URL.url ?? DATABASE_REPLICA_URLS.url ?? passwordFile) !== null
  return hasFiles ? { ...servers, files } : servers
}
