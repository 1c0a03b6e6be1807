// Where the data is, and how its servers are reached: from settings, and from files that these name.

import {
  type DatabaseSetting,
  hasPassword,
  type SecretFiles,
  serverKindOf,
  splitHosts,
  withPassword,
} from './database.ts'
import type { Setting } from './kinds.ts'
import { withLogin } from './old-service.ts'
import { type Reading, readFile, readText, sourceOf } from './reading.ts'
import { type SettingName, table } from './settings.ts'
import { findText, type Sources } from './texts.ts'

const rows = table.database

export function isDatabaseChosen(sources: Sources): boolean {
  return (['DATABASE_URL', 'DATABASE_URL_FILE'] as const).some((name) => findText(name, sources) !== null)
}

/** All of the location but what the old service's store needs to know of the dialect. */
export function readDatabase(reading: Reading) {
  const { sources, problems, read } = reading
  const readRow = <Value, Name extends SettingName>(row: Setting<Value, Name>) => ({ row, value: read(row) })
  const before = problems.length
  const primary = readText(readRow(rows.url), readRow(rows.urlFile), reading)
  const isPrimaryKnown = problems.length === before
  const others = readText(readRow(rows.replicas), readRow(rows.replicasFile), reading)
  const password = read(rows.passwordFile)
  const headers = readText(readRow(rows.headers), readRow(rows.headersFile), reading).value
  const limits = { connections: read(rows.connections), timeout: read(rows.timeout) }
  const maxLag = read(rows.maxLag)
  const dirtyReads = read(rows.dirtyReads)
  const mmap = read(rows.mmap)
  const maxValues = read(rows.maxValues)
  const chosen = primary.value
  const replicas = others.value
  if (dirtyReads && isPrimaryKnown && chosen.kind !== 'mysql')
    problems.push(
      'DATABASE_DIRTY_READS=on needs a DATABASE_URL of MySQL or MariaDB: it is about nodes of Galera.',
    )
  // A flag is about one run, such as an import into a database of one's own.
  const isOther = chosen.kind !== 'old-service' && findText('DATABASE_URL', sources)?.source !== 'flag'
  if (isPrimaryKnown && isOther && Object.keys(headers).length > 0)
    problems.push('DATABASE_HEADERS needs a DATABASE_URL of an old service: requests to it carry them.')
  if (chosen.kind === 'postgres' || chosen.kind === 'mysql') {
    if (isPrimaryKnown && replicas.some((url) => serverKindOf(url) !== chosen.kind))
      problems.push(
        'DATABASE_REPLICA_URLS names servers of another kind than DATABASE_URL. Name replicas of that server.',
      )
    const files = {
      DATABASE_URL: { url: primary.file, password },
      DATABASE_REPLICA_URLS: { url: others.file, password },
    }
    const [url = chosen.url, ...peers] = splitHosts(chosen.url)
    const logins = addPasswords({ url, peers, replicas: replicas.flatMap(splitHosts) }, files, reading)
    const servers = { ...logins, ...limits, maxLag }
    const { kind } = chosen
    return kind === 'mysql' ? { kind, ...servers, dirtyReads } : { kind, ...servers }
  }
  if (replicas.length > 0 && isPrimaryKnown)
    problems.push(
      'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL or MySQL: the primary of the replicas.',
    )
  if (chosen.kind === 'sqlite') return { ...chosen, mmap }
  const { kind, url, authorization } = chosen
  const all = withLogin(headers, authorization)
  if (all === null)
    problems.push(
      'DATABASE_URL has a login, and DATABASE_HEADERS has an Authorization header. Remove one of them.',
    )
  return { kind, url, headers: all ?? headers, ...limits, maxValues }
}

interface Logins {
  readonly url: string
  readonly peers: readonly string[]
  readonly replicas: readonly string[]
}

type Files = Record<DatabaseSetting, SecretFiles>

function addPasswords(logins: Logins, files: Files, reading: Reading): Logins & { files?: Files } {
  const { url, peers, replicas } = logins
  const { sources, problems } = reading
  const file = files.DATABASE_URL.password
  if (file === null) {
    const isPlain = files.DATABASE_URL.url === null && files.DATABASE_REPLICA_URLS.url === null
    return { ...logins, ...(!isPlain && { files }) }
  }
  const password = readFile('DATABASE_PASSWORD_FILE', file, reading)
  // A flag is about one run, and has its own.
  const isOwn = hasPassword(url) && findText('DATABASE_URL', sources)?.source === 'flag'
  const doubled: [DatabaseSetting, boolean][] = [
    ['DATABASE_URL', hasPassword(url) && !isOwn],
    ['DATABASE_REPLICA_URLS', replicas.some(hasPassword)],
  ]
  for (const [name, isDoubled] of doubled)
    if (isDoubled)
      problems.push(
        `${name} has a password, and so has ${sourceOf('DATABASE_PASSWORD_FILE', sources)}. Remove one of them.`,
      )
  const add = (to: string) => withPassword(to, password ?? '')
  return {
    ...(isOwn ? { url, peers } : { url: add(url), peers: peers.map(add) }),
    replicas: replicas.map(add),
    files: isOwn ? { ...files, DATABASE_URL: { ...files.DATABASE_URL, password: null } } : files,
  }
}
