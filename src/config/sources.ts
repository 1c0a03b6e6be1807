// The text of a setting: where it comes from, and how it is shown without secrets.

import { messageOf } from '../text.ts'
import { serverKindOf, splitUrls } from './database.ts'
import { readSecret } from './files.ts'
import type { Setting } from './kinds.ts'
import { settings } from './settings.ts'

export type Texts = Readonly<Record<string, string | undefined>>

/** Sources of settings. A source wins over those below it. */
export interface SettingSources {
  readonly flags?: Texts
  readonly environment?: Texts
  readonly envFile?: Texts
}

export interface SettingText {
  /** The setting, or the name of its file, such as DATABASE_URL_FILE. */
  readonly name: string
  readonly source: 'flag' | 'environment' | '.env'
  readonly text: string
  /** The file that has the text. */
  readonly path: string | null
}

/** A complaint about one setting, as sentences for the operator. */
export class SettingError extends Error {}

// An empty text counts as unset: compose files and shells unset a variable that way.
export function findText(name: string, { flags, environment, envFile }: SettingSources): SettingText | null {
  if (flags?.[name]) return { name, source: 'flag', text: flags[name], path: null }
  if (environment?.[name]) return { name, source: 'environment', text: environment[name], path: null }
  if (envFile?.[name]) return { name, source: '.env', text: envFile[name], path: null }
  return null
}

/**
 * The text of a setting, or of the file that NAME_FILE names. A flag wins over the file.
 * @throws SettingError if both are set, or the file cannot be read
 */
export function findTextOrFile(name: string, sources: SettingSources): SettingText | null {
  const own = findText(name, sources)
  const file = settings.get(name)?.isSecret ? findText(`${name}_FILE`, sources) : null
  if (file === null || own?.source === 'flag') return own
  if (own === null) return { ...file, text: readSecretFile(file), path: file.text }
  throw new SettingError(`${originOf(own)} and ${originOf(file)} are both set. Remove one of them.`)
}

export function originOf({ name, source }: SettingText): string {
  return `${name} (${source})`
}

/** @throws SettingError */
export function readSecretFile(file: SettingText): string {
  try {
    return readSecret(file.text)
  } catch (error) {
    // The path may be the secret itself, in the wrong setting.
    const shown = hideSecrets(file.name, file.text)
    const reason = messageOf(error).replaceAll(file.text, shown)
    throw new SettingError(
      `The file ${shown}, of ${originOf(file)}, cannot be read: ${reason}. Check the path, the rights and the text.`,
    )
  }
}

/** @throws SettingError */
export function readSetting<Value>(setting: Setting<Value>, sources: SettingSources): Value {
  const { name, fallback, allowed, parse, explain } = setting
  const found = findTextOrFile(name, sources)
  if (found === null) return fallback
  const value = parse(found.text)
  if (value !== undefined) return value
  const reason = explain === undefined ? '' : `: ${explain(found.text)}`
  if (found.path === null)
    throw new SettingError(
      `${originOf(found)} cannot be "${hideRefused(name, found.text)}"${reason}. Allowed: ${allowed}.`,
    )
  // The text of a file is never shown: it may be any secret.
  const path = hideSecrets(found.name, found.path)
  throw new SettingError(
    `The text in ${path}, of ${originOf(found)}, cannot be that of ${name}${reason}. Allowed: ${allowed}.`,
  )
}

/** A refused text. Nothing of it is shown if it may have a password or a key. */
function hideRefused(name: string, text: string): string {
  return settings.get(name)?.isSecret ? '***' : hideSecrets(name, text)
}

/** An allowed text, which operators read and may pass on. */
export function hideSecrets(name: string, text: string): string {
  if (text === '') return ''
  if (name.endsWith('_HEADERS')) return '***'
  // The path of a file, or a URL by mistake.
  if (name.endsWith('_FILE')) return /[@:=]/.test(text) ? '***' : text
  return splitUrls(text).map(hideLogin).join()
}

function hideLogin(url: string): string {
  const isServer = serverKindOf(url) !== null
  if (!isServer && !/^https?:\/\/.*@/is.test(url)) return url
  const hidden = url.replace(/\/\/(.*)@/s, (_, login: string) => {
    // The user of an old service may be a key.
    const user = isServer && login.includes(':') ? `${login.split(':')[0]}:` : ''
    return `//${user}***@`
  })
  return hideParameters(hidden)
}

/** Parameters that are shown. Any other parameter may be a secret, such as a misspelt password. */
const plainParameter =
  /^(?:host|port|user|dbname|socket|ssl(?:-?mode|-?ca|-?cert|rootcert|negotiation)?|application_name|options)=[^=]*$/

/** Hides all after the name of the first secret, whose value may have an unescaped `&`, `?` or `#`. */
function hideParameters(url: string): string {
  for (const { index, 0: parameter } of url.matchAll(/(?<=[?&#])[^?&#]+/g)) {
    if (plainParameter.test(parameter)) continue
    const name = /^[^=]*=/.exec(parameter)?.[0] ?? ''
    return `${url.slice(0, index)}${name}***`
  }
  return url
}
