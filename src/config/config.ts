// Flags, environment and .env -> one frozen Config. Every wrong setting is reported at once, by name.

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Dialect, defaultDialect } from '../legacy/dialect.ts'
import { readDialect } from '../legacy/dialect-file.ts'
import { messageOf } from '../text.ts'
import type { DatabaseLocation } from './database.ts'
import { readDialectText } from './files.ts'
import { readGroup } from './kinds.ts'
import { complaintsOf, cutoverOf, databaseComplaints, locateDatabase, shadowOf } from './locations.ts'
import { refuseUnknownNames, warnOfNearMisses } from './misspelt.ts'
import { type ConfigValues, settings, table } from './settings.ts'
import {
  findText,
  findTextOrFile,
  hideSecrets,
  readSetting,
  SettingError,
  type SettingSources,
  type SettingText,
  type Texts,
} from './sources.ts'

/** The values of the settings, and what several settings mean together. */
export interface Config extends Omit<ConfigValues, 'database' | 'shadow' | 'cutover'> {
  readonly shadow: ReturnType<typeof shadowOf>
  readonly cutover: ReturnType<typeof cutoverOf>
  readonly database: DatabaseLocation
  /** Whether the operator set DATABASE_URL: then a missing database is an error. */
  readonly databaseChosen: boolean
  readonly adminPortChosen: boolean
  /** From the file LEGACY_DIALECT; by default, the contract. */
  readonly dialect: Dialect
  /** Possible mistakes, as sentences for the operator. */
  readonly warnings: readonly string[]
}

/** Every wrong setting, one line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** Where a command reads settings: flags, the environment, and `.env` in the working directory. */
export function commandSources(flags: Texts, environment: Texts): SettingSources {
  return { flags, environment, envFile: readEnvFile('.env') }
}

function readEnvFile(path: string): Texts {
  if (!existsSync(path)) return {}
  let text: string
  try {
    // Some editors write a byte order mark, which would become part of the first name.
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    const reason = messageOf(error)
    throw new ConfigError([`The file ${path} cannot be read: ${reason}.`])
  }
  const texts = parseEnv(text)
  const problems = ignoredLines(text, Object.values(texts)).map(
    (line) => `${path}, line ${line} is no setting. Write NAME=value, or # in front of a comment.`,
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return texts
}

/** Numbers of the lines that `parseEnv` skips: a setting in such a line would be ignored. */
function ignoredLines(text: string, values: readonly (string | undefined)[]): number[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.includes('=') || /^\s*(?:#|$)/.test(line)) return []
    // The last line of a multi-line value has the closing quote, and perhaps a comment.
    const content = line.split(/["'`]/, 1).join('').trim()
    return values.some((value) => value?.includes(content)) ? [] : [index + 1]
  })
}

/** @throws ConfigError */
export function readConfig(sources: SettingSources): Config {
  const problems: string[] = []
  const wrong = new Set<string>()
  const attempt = <Value>(name: string, read: () => Value, otherwise: Value): Value => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      problems.push(error.message)
      wrong.add(name)
      return otherwise
    }
  }
  const values = readGroup(table, (setting) =>
    attempt(setting.name, () => readSetting(setting, sources), setting.fallback),
  )
  const dialect = attempt('LEGACY_DIALECT', () => readDialectFile(values.legacy.dialect), defaultDialect)
  // If the URL is wrong, do not complain about the settings that depend on it.
  const isUrlKnown = !wrong.has('DATABASE_URL')
  const locate = () => locateDatabase(values.database, dialect, sources)
  const database = isUrlKnown ? attempt('DATABASE_PASSWORD_FILE', locate, null) : null
  const complaints = isUrlKnown ? databaseComplaints(values.database, sources) : []
  problems.push(...[...complaints, ...complaintsOf(values)].filter((complaint) => complaint !== false))
  problems.push(...refuseUnknownNames(sources))
  if (database === null || problems.length > 0) throw new ConfigError(problems)
  return Object.freeze({
    ...values,
    shadow: shadowOf(values.shadow),
    cutover: cutoverOf(values.cutover),
    dialect,
    database: Object.freeze(database),
    databaseChosen: findTextOrFile('DATABASE_URL', sources) !== null,
    adminPortChosen: findText('ADMIN_PORT', sources) !== null,
    warnings: warnOfNearMisses(sources),
  })
}

/** @throws SettingError */
function readDialectFile(path: string | null): Dialect {
  if (path === null) return defaultDialect
  let text: string
  try {
    text = readDialectText(path)
  } catch (error) {
    const reason = messageOf(error)
    throw new SettingError(
      `LEGACY_DIALECT: the file ${path} cannot be read: ${reason}. Check the path, the rights and the text.`,
    )
  }
  const dialect = readDialect(text)
  if ('read' in dialect) return dialect
  throw new SettingError(dialect.map((problem) => `LEGACY_DIALECT (${path}): ${problem}`).join('\n'))
}

/** The settings in force as `NAME=value` lines, each with its source; secrets are hidden. */
export function printConfig(sources: SettingSources): string {
  return [...settings.values()]
    .map(({ name, default: byDefault }) => {
      const found = findTextOrFile(name, sources)
      const text = hideSecrets(name, found?.text ?? byDefault ?? '')
      return `${`${name}=${text}`.padEnd(40)} # ${found === null ? 'default' : describeSource(found)}\n`
    })
    .join('')
}

function describeSource({ name, source, path }: SettingText): string {
  return path === null ? source : `${name}=${hideSecrets(name, path)}`
}
