// The texts of settings: where each comes from, and how it is shown.

import { serverKindOf, splitUrls } from './database.ts'
import type { SettingName } from './settings.ts'

export type Texts = Readonly<Record<string, string | undefined>>

/** Where the settings come from, the strongest first. */
export interface Sources {
  readonly flags?: Texts
  readonly environment?: Texts
  readonly envFile?: Texts
}

interface Found {
  readonly text: string
  readonly source: 'flag' | 'environment' | '.env'
}

// An empty text is as good as none: that is how a compose file or a shell unsets one.
export function findText(name: SettingName, { flags, environment, envFile }: Sources): Found | null {
  if (flags?.[name]) return { text: flags[name], source: 'flag' }
  if (environment?.[name]) return { text: environment[name], source: 'environment' }
  if (envFile?.[name]) return { text: envFile[name], source: '.env' }
  return null
}

/** Settings whose texts may hold a password or a key: a complaint about a wrong text shows no part of it. */
export function isSecret(name: SettingName): boolean {
  return /_(?:URLS?|HEADERS)$/.test(name)
}

/** A text that is allowed, for what operators read and may pass on. */
export function hideSecrets(name: SettingName, text: string): string {
  if (text === '') return ''
  if (name.endsWith('_HEADERS')) return '***'
  // The path of a file. A URL may stand there by mistake.
  if (name.endsWith('_FILE')) return /[@:=]/.test(text) ? '***' : text
  return splitUrls(text).map(hideLogin).join()
}

function hideLogin(url: string): string {
  const isServer = serverKindOf(url) !== null
  if (!isServer && !/^https?:\/\/.*@/is.test(url)) return url
  const hidden = url.replace(/\/\/(.*)@/s, (_, login: string) => {
    // The user of a service may be a key.
    const user = isServer && login.includes(':') ? `${login.split(':')[0]}:` : ''
    return `//${user}***@`
  })
  return hideParameters(hidden)
}

/** Parameters beside these may be secret, such as a misspelt password. */
const plainParameter =
  /^(?:host|port|user|dbname|socket|ssl(?:-?mode|-?ca|-?cert|rootcert|negotiation)?|application_name|options)=[^=]*$/

/** From the first that may be secret on: where an unescaped mark ends its value, the rest looks like others. */
function hideParameters(url: string): string {
  for (const { index, 0: parameter } of url.matchAll(/(?<=[?&#])[^?&#]+/g)) {
    if (plainParameter.test(parameter)) continue
    const name = /^[^=]*=/.exec(parameter)?.[0] ?? ''
    return `${url.slice(0, index)}${name}***`
  }
  return url
}
