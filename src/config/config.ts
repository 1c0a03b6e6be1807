// Flags, environment and .env → one frozen Config; every bad setting is reported at once, by name.

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type { Dialect } from '../legacy/dialect.ts'
import { type CutoverSettings, readCutover } from './cutover.ts'
import type { DatabaseLocation } from './database.ts'
import { readDialectFile } from './dialect.ts'
import { readGroup } from './groups.ts'
import type { Setting } from './kinds.ts'
import { refuseUnknownNames, warnOfNearMisses } from './misspelt-names.ts'
import { suggestionFor } from './misspelt-values.ts'
import { isDatabaseChosen, readDatabase } from './read-database.ts'
import { because, findInFile } from './reading.ts'
import { type SettingName, settings, table, type Values } from './settings.ts'
import { readShadow, type ShadowSettings } from './shadow.ts'
import { findText, hideSecrets, isSecret, type Sources, type Texts } from './texts.ts'

/** The values of the table, and what is made of them. */
export interface Config extends Omit<Values, 'database' | 'shadow' | 'cutover'> {
  readonly shadow: ShadowSettings
  readonly cutover: CutoverSettings
  readonly database: DatabaseLocation
  /** Whether the operator chose the database, so that a missing one is a mistake. */
  readonly databaseChosen: boolean
  readonly adminPortChosen: boolean
  /** How the old service behaves: the file LEGACY_DIALECT, or the contract. */
  readonly dialect: Dialect
  /** What may be a mistake, in sentences for the operator. */
  readonly warnings: readonly string[]
}

/** Every bad setting, one line each. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** The settings of a command: its flags, its environment, and `.env` of the folder it runs in. */
export function commandSources(flags: Texts, environment: Texts): Sources {
  return { flags, environment, envFile: readEnvFile('.env') }
}

function readEnvFile(path: string): Texts {
  if (!existsSync(path)) return {}
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError([
      `The file ${path} cannot be read: ${error instanceof Error ? error.message : error}.`,
    ])
  }
  const texts = readEnvText(text)
  const ignored = ignoredLines(text, Object.values(texts))
  if (ignored.length === 0) return texts
  throw new ConfigError(
    ignored.map(
      (line) => `${path}, line ${line} is no setting. Write NAME=value, or # in front of a comment.`,
    ),
  )
}

/** Numbers of the lines that `parseEnv` passes over: a setting among them would not be in force. */
function ignoredLines(text: string, values: readonly (string | undefined)[]): number[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.includes('=') || /^\ufeff?\s*(?:#|$)/.test(line)) return []
    // Of a value of several lines, the last one has the quote that ends it, and perhaps a comment.
    const content = line.split(/["'`]/, 1).join('').trim()
    return values.some((value) => value?.includes(content)) ? [] : [index + 1]
  })
}

/** The settings in the text of an `.env` file. */
export function readEnvText(text: string): Texts {
  // Some editors put a byte order mark in front, which would become part of the first name.
  return parseEnv(text.replace(/^\ufeff/, ''))
}

/** @throws ConfigError */
export function readConfig(sources: Sources): Config {
  const problems: string[] = []

  function read<Value>(row: Setting<Value, SettingName>): Value {
    const { name, fallback, allowed, parse, explain } = row
    const found = findText(name, sources)
    if (found === null) return fallback
    const value = parse(found.text)
    if (value !== undefined) return value
    const shown = isSecret(name) ? '***' : hideSecrets(name, found.text)
    problems.push(
      `${name} (${found.source}) cannot be "${shown}"${because(explain, found.text)}. Allowed: ${allowed}.${suggestionFor(row, found.text)}`,
    )
    return fallback
  }

  // Its texts may stand in files.
  const { database: _, ...others } = table
  const reading = { sources, problems, read }
  const chosen = readDatabase(reading)
  const values = readGroup(others, read)
  const cutover = readCutover(values.cutover, reading)
  const shadow = readShadow(values.shadow, cutover.url !== null, reading)
  const { legacy, trustedDocuments } = values
  const dialect = readDialectFile(legacy.dialect, reading)
  if (trustedDocuments.only && trustedDocuments.manifest === null)
    problems.push('GRAPHQL_ONLY_DOCUMENTS=on needs GRAPHQL_DOCUMENTS: the manifest of these documents.')
  if (trustedDocuments.only && values.federation)
    problems.push(
      'FEDERATION=on needs GRAPHQL_ONLY_DOCUMENTS=off: ' +
        'a router writes queries of its own, which no manifest has.',
    )
  // RFC 9745 section 4.
  if (legacy.deprecation !== null && legacy.sunset !== null && legacy.sunset < legacy.deprecation)
    problems.push(
      'LEGACY_SUNSET is earlier than LEGACY_DEPRECATION: an interface is deprecated before it stops answering. ' +
        'Set a later sunset, or an earlier deprecation.',
    )
  problems.push(...refuseUnknownNames(sources))
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze({
    ...values,
    shadow,
    cutover,
    dialect,
    database: Object.freeze(chosen.kind === 'old-service' ? { ...chosen, dialect } : chosen),
    databaseChosen: isDatabaseChosen(sources),
    adminPortChosen: findText('ADMIN_PORT', sources) !== null,
    warnings: warnOfNearMisses(sources),
  })
}

/** The settings in force as `NAME=value` lines with where each comes from; secrets are hidden. */
export function printConfig(sources: Sources): string {
  return Object.values(settings)
    .map(({ name, default: byDefault }) => {
      const found = findText(name, sources) ?? findInFile(name, sources)
      const text = hideSecrets(name, found?.text ?? byDefault ?? '')
      return `${`${name}=${text}`.padEnd(40)} # ${found?.source ?? 'default'}\n`
    })
    .join('')
}
