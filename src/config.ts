// Flags, environment and .env → one frozen Config; every bad setting is reported at once, by name.
// The only reader of the environment.

import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { findInFile, isDatabaseChosen, readDatabase } from './config-database.ts'
import { findText, hideSecrets, type Sources, type Texts } from './config-texts.ts'
import type { QueryLimits } from './gateway/graphql/query-limits.ts'
import type { Dialect } from './gateway/legacy/dialect.ts'
import { refuseUnknownNames, warnOfNearMisses } from './setting-names.ts'
import {
  type DatabaseLocation,
  type LogLevel,
  type Setting,
  type SettingName,
  type Shadowing,
  settings,
  type Timeouts,
} from './settings.ts'

export interface Config {
  readonly database: DatabaseLocation
  /** Whether the operator chose the database, so that a missing one is a mistake. */
  readonly databaseChosen: boolean
  readonly port: number
  readonly host: string
  readonly adminPort: number | 'off'
  readonly adminPortChosen: boolean
  readonly adminHost: string
  readonly adminHosts: readonly string[]
  readonly workers: number
  readonly timeouts: Timeouts
  readonly maxConnections: number
  readonly maxInFlight: number
  /** Bytes. */
  readonly maxBody: number
  /** Values a minute; `null` disables the limit. */
  readonly rateLimit: number | null
  readonly trustedProxies: readonly string[]
  readonly logLevel: LogLevel
  /** From 0 to 1. */
  readonly logSample: number
  /** `null` where answers are compared with nothing. */
  readonly shadow: Shadowing | null
  readonly graphiql: boolean
  readonly queryLimits: QueryLimits
  readonly explorer: boolean
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

/** The environment of this process, and `.env` of the folder it runs in. */
export function processSources(flags: Texts): Sources {
  return { flags, environment: process.env, envFile: readEnvFile('.env') }
}

function readEnvFile(path: string): Texts {
  if (!existsSync(path)) return {}
  try {
    return readEnvText(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError([
      `The file ${path} cannot be read: ${error instanceof Error ? error.message : error}.`,
    ])
  }
}

/** The settings in the text of an `.env` file. */
export function readEnvText(text: string): Texts {
  // Some editors put a byte order mark in front, which would become part of the first name.
  return parseEnv(text.replace(/^\ufeff/, ''))
}

/** Whether npm runs this process, as in `npm start`. */
export function startedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined
}

/** @throws ConfigError */
export function readConfig(sources: Sources): Config {
  const problems: string[] = []

  function read<Value>(name: SettingName, { fallback, allowed, parse }: Setting<Value>): Value {
    const found = findText(name, sources)
    if (found === null) return fallback
    const value = parse(found.text)
    if (value !== undefined) return value
    problems.push(`${name} (${found.source}) cannot be "${hideSecrets(found.text)}". Allowed: ${allowed}.`)
    return fallback
  }

  function readShadow(): Shadowing | null {
    const url = read('SHADOW_URL', settings.SHADOW_URL)
    const sample = read('SHADOW_SAMPLE', settings.SHADOW_SAMPLE)
    if (url === null && sample > 0)
      problems.push('SHADOW_SAMPLE needs a SHADOW_URL: the old service to compare with.')
    return url === null ? null : { url, sample }
  }

  const chosen = readDatabase({ sources, problems, read })
  const others: Omit<Config, 'database'> = {
    databaseChosen: isDatabaseChosen(sources),
    port: read('PORT', settings.PORT),
    host: read('HOST', settings.HOST),
    adminPort: read('ADMIN_PORT', settings.ADMIN_PORT),
    adminPortChosen: findText('ADMIN_PORT', sources) !== null,
    adminHost: read('ADMIN_HOST', settings.ADMIN_HOST),
    adminHosts: read('ADMIN_HOSTS', settings.ADMIN_HOSTS) ?? [],
    workers: read('WORKERS', settings.WORKERS),
    timeouts: Object.freeze({
      headers: read('HEADERS_TIMEOUT', settings.HEADERS_TIMEOUT),
      request: read('REQUEST_TIMEOUT', settings.REQUEST_TIMEOUT),
      idle: read('IDLE_TIMEOUT', settings.IDLE_TIMEOUT),
    }),
    maxConnections: read('MAX_CONNECTIONS', settings.MAX_CONNECTIONS),
    maxInFlight: read('MAX_IN_FLIGHT', settings.MAX_IN_FLIGHT),
    maxBody: read('MAX_BODY', settings.MAX_BODY),
    rateLimit: read('RATE_LIMIT', settings.RATE_LIMIT),
    trustedProxies: read('TRUSTED_PROXIES', settings.TRUSTED_PROXIES) ?? [],
    logLevel: read('LOG_LEVEL', settings.LOG_LEVEL),
    logSample: read('LOG_SAMPLE', settings.LOG_SAMPLE),
    shadow: readShadow(),
    graphiql: read('GRAPHIQL', settings.GRAPHIQL),
    explorer: read('EXPLORER', settings.EXPLORER),
    queryLimits: Object.freeze({
      introspection: read('INTROSPECTION', settings.INTROSPECTION),
      tokens: read('GRAPHQL_MAX_TOKENS', settings.GRAPHQL_MAX_TOKENS),
      depth: read('GRAPHQL_MAX_DEPTH', settings.GRAPHQL_MAX_DEPTH),
      aliases: read('GRAPHQL_MAX_ALIASES', settings.GRAPHQL_MAX_ALIASES),
      fields: read('GRAPHQL_MAX_FIELDS', settings.GRAPHQL_MAX_FIELDS),
    }),
    warnings: warnOfNearMisses(sources),
    dialect: Object.freeze({
      serviceName: read('LEGACY_SERVICE_NAME', settings.LEGACY_SERVICE_NAME),
      chatMethod: read('LEGACY_CHAT_METHOD', settings.LEGACY_CHAT_METHOD),
      unknown: read('LEGACY_UNKNOWN', settings.LEGACY_UNKNOWN),
      malformed: read('LEGACY_MALFORMED', settings.LEGACY_MALFORMED),
      errorStatus: read('LEGACY_ERROR_STATUS', settings.LEGACY_ERROR_STATUS),
      maxValues: read('LEGACY_MAX_VALUES', settings.LEGACY_MAX_VALUES),
      maxAge: read('LEGACY_MAX_AGE', settings.LEGACY_MAX_AGE),
      deprecation: read('LEGACY_DEPRECATION', settings.LEGACY_DEPRECATION),
      sunset: read('LEGACY_SUNSET', settings.LEGACY_SUNSET),
      sunsetLink: read('LEGACY_SUNSET_LINK', settings.LEGACY_SUNSET_LINK),
    }),
  }
  const { serviceName, chatMethod } = others.dialect
  const database: DatabaseLocation =
    chosen.kind === 'old-service' ? { ...chosen, serviceName, chatMethod } : chosen
  problems.push(...refuseUnknownNames(sources))
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze({ ...others, database: Object.freeze(database) })
}

/** The settings in force as `NAME=value` lines with where each comes from; secrets are hidden. */
export function printConfig(sources: Sources): string {
  const names = Object.keys(settings) as SettingName[]
  return names
    .map((name) => {
      const found = findText(name, sources) ?? findInFile(name, sources)
      const text = hideSecrets(found?.text ?? settings[name].default ?? '')
      return `${`${name}=${text}`.padEnd(40)} # ${found?.source ?? 'default'}\n`
    })
    .join('')
}
