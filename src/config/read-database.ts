// Makes the location of the data, and the addresses of old services, out of the values of their settings.

import type { Dialect } from '../legacy/dialect.ts'
import {
  type DatabaseLocation,
  type DatabaseSetting,
  hasPassword,
  serverKindOf,
  splitHosts,
  withPassword,
} from './database.ts'
import { type ServiceAddress, type ServiceHeaders, withLogin } from './old-service.ts'
import type { Values } from './settings.ts'
import { findText, originOf, readSecretFile, type Sources } from './sources.ts'

/** Takes a complaint if something is wrong. */
export type Complain = (isWrong: boolean, complaint: string) => void

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
    chosen.kind !== 'old-service' && !isFlag && Object.keys(headers).length > 0,
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
    const service = serviceWith('DATABASE', chosen, headers, complain)
    return { kind: chosen.kind, ...service, connections, timeout, maxValues, dialect }
  }
  const servers = { ...readServers(chosen.url, values, sources, complain), connections, timeout, maxLag }
  return chosen.kind === 'mysql'
    ? { kind: chosen.kind, ...servers, dirtyReads }
    : { kind: chosen.kind, ...servers }
}

/** The URLs of all servers with their passwords, and the files that these come from. */
function readServers(
  chosenUrl: string,
  { urlFile, replicas: replicaUrls, replicasFile, passwordFile }: Values['database'],
  sources: Sources,
  complain: Complain,
) {
  const own = findText('DATABASE_URL', sources)
  // The URL of a flag may have its own password.
  const needsPassword = own?.source !== 'flag' || !hasPassword(chosenUrl)
  const files = {
    DATABASE_URL: { url: own === null ? urlFile : null, password: needsPassword ? passwordFile : null },
    DATABASE_REPLICA_URLS: {
      url: findText('DATABASE_REPLICA_URLS', sources) === null ? replicasFile : null,
      password: passwordFile,
    },
  }
  const found = passwordFile === null ? null : findText('DATABASE_PASSWORD_FILE', sources)
  const password = found && readSecretFile(found)
  const addPassword = (setting: DatabaseSetting, urls: readonly string[]) => {
    if (found === null || password === null || files[setting].password === null) return urls
    complain(
      urls.some(hasPassword),
      `${setting} has a password, and so has ${originOf(found)}. Remove one of them.`,
    )
    return urls.map((url) => withPassword(url, password))
  }
  const [url = chosenUrl, ...peers] = addPassword('DATABASE_URL', splitHosts(chosenUrl))
  const replicas = addPassword('DATABASE_REPLICA_URLS', replicaUrls.flatMap(splitHosts))
  const hasFiles = Object.values(files).some((each) => each.url !== null || each.password !== null)
  return { url, peers, replicas, ...(hasFiles && { files }) }
}

/** @param prefix of the names of its settings */
export function serviceWith<Url extends string | null>(
  prefix: 'DATABASE' | 'SHADOW' | 'CUTOVER',
  { url, authorization }: { url: Url } & Pick<ServiceAddress, 'authorization'>,
  headers: ServiceHeaders,
  complain: Complain,
) {
  const all = withLogin(headers, authorization)
  complain(
    all === null,
    `${prefix}_URL has a login, and ${prefix}_HEADERS has an Authorization header. Remove one of them.`,
  )
  return { url, headers: all ?? headers }
}
