// Where the data is, and how its servers are reached: from settings, and from files that these name.

import { findText, type Sources } from './config-texts.ts'
import { hasPassword, readSecret, withPassword } from './secret-files.ts'
import {
  type DatabaseSetting,
  type SecretFiles,
  type Setting,
  type SettingName,
  settings,
} from './settings.ts'

interface Reading {
  readonly sources: Sources
  /** Takes what is wrong. */
  readonly problems: string[]
  readonly read: <Value>(name: SettingName, setting: Setting<Value>) => Value
}

type FileSetting = `${DatabaseSetting}_FILE` | 'DATABASE_PASSWORD_FILE'

export function isDatabaseChosen(sources: Sources): boolean {
  return (['DATABASE_URL', 'DATABASE_URL_FILE'] as const).some((name) => findText(name, sources) !== null)
}

/** All of the location but what the old service's store needs to know of the dialect. */
export function readDatabase(reading: Reading) {
  const { problems, read } = reading
  const primary = readText('DATABASE_URL', settings.DATABASE_URL, reading)
  const others = readText('DATABASE_REPLICA_URLS', settings.DATABASE_REPLICA_URLS, reading)
  const password = read('DATABASE_PASSWORD_FILE', settings.DATABASE_PASSWORD_FILE)
  const limits = {
    connections: read('DATABASE_CONNECTIONS', settings.DATABASE_CONNECTIONS),
    timeout: read('DATABASE_TIMEOUT', settings.DATABASE_TIMEOUT),
  }
  const maxLag = read('DATABASE_MAX_LAG', settings.DATABASE_MAX_LAG)
  const maxValues = read('DATABASE_MAX_VALUES', settings.DATABASE_MAX_VALUES)
  const chosen = primary.value
  const replicas = others.value ?? []
  if (chosen.kind === 'postgres') {
    const files = {
      DATABASE_URL: { url: primary.file, password },
      DATABASE_REPLICA_URLS: { url: others.file, password },
    }
    const logins = addPasswords({ url: chosen.url, replicas }, files, reading)
    return { ...chosen, ...logins, ...limits, maxLag }
  }
  if (replicas.length > 0)
    problems.push('DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL: the primary of the replicas.')
  return chosen.kind === 'old-service' ? { ...chosen, ...limits, maxValues } : chosen
}

/** A setting whose text may stand in a file instead. */
function readText<Value>(name: DatabaseSetting, setting: Setting<Value>, reading: Reading) {
  const { sources, problems, read } = reading
  const value = read(name, setting)
  const fileSetting: FileSetting = `${name}_FILE`
  const file = read(fileSetting, settings[fileSetting])
  const own = findText(name, sources)
  if (file === null || own?.source === 'flag') return { value, file: null }
  if (own !== null) {
    problems.push(
      `${name} (${own.source}) and ${sourceOf(fileSetting, sources)} are both set. Remove one of them.`,
    )
    return { value, file: null }
  }
  const text = readFile(fileSetting, file, reading)
  const parsed = text === null ? setting.fallback : setting.parse(text)
  // The text is not shown: it may be any secret, of another setting say.
  if (parsed === undefined)
    problems.push(
      `The text in ${file}, of ${sourceOf(fileSetting, sources)}, cannot be that of ${name}. Allowed: ${setting.allowed}.`,
    )
  return { value: parsed ?? setting.fallback, file }
}

/** What stands in the file of such a setting, where it may be shown once its secrets are hidden. */
export function findInFile(name: SettingName, sources: Sources): { text: string; source: string } | null {
  if (name !== 'DATABASE_URL' && name !== 'DATABASE_REPLICA_URLS') return null
  const source: FileSetting = `${name}_FILE`
  const file = findText(source, sources)?.text ?? null
  try {
    const text = file === null ? null : readSecret(file)
    return text === null || settings[name].parse(text) === undefined ? null : { text, source }
  } catch {
    return null
  }
}

interface Logins {
  readonly url: string
  readonly replicas: readonly string[]
}

type Files = Record<DatabaseSetting, SecretFiles>

function addPasswords({ url, replicas }: Logins, files: Files, reading: Reading): Logins & { files?: Files } {
  const { sources, problems } = reading
  const file = files.DATABASE_URL.password
  if (file === null) {
    const isPlain = files.DATABASE_URL.url === null && files.DATABASE_REPLICA_URLS.url === null
    return { url, replicas, ...(!isPlain && { files }) }
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
    url: isOwn ? url : add(url),
    replicas: replicas.map(add),
    files: isOwn ? { ...files, DATABASE_URL: { ...files.DATABASE_URL, password: null } } : files,
  }
}

function readFile(name: FileSetting, file: string, { sources, problems }: Reading): string | null {
  try {
    return readSecret(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    problems.push(
      `The file ${file}, of ${sourceOf(name, sources)}, cannot be read: ${reason}. Check the path, the rights and the text.`,
    )
    return null
  }
}

function sourceOf(name: FileSetting, sources: Sources): string {
  return `${name} (${findText(name, sources)?.source})`
}
