// The texts of settings: where each comes from, and how it is shown.

import { serverKindOf, splitUrls } from './database-urls.ts'
import type { SettingName } from './settings.ts'

export type Texts = Readonly<Record<string, string | undefined>>

/** Where the settings come from, the strongest first. */
export interface Sources {
  readonly flags?: Texts
  readonly environment?: Texts
  readonly envFile?: Texts
}

export interface Found {
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

const secretName = /pass|pw|secret|token|key|auth|cred/i
const secretValue = /(?:pass|pw|secret|token|key|auth|cred)\w*\s*[=:]/i
/** Parameters beside these may be secret, such as a misspelt password. */
const plainParameter =
  /^(?:host|port|user|dbname|socket|ssl(?:-?mode|-?ca|-?cert|rootcert|negotiation)?|application_name|options)=[^=]*$/

/**
 * For what operators read, and may pass on. In a URL that can be read, only the secrets are hidden. A text
 * with a slip may have its password anywhere: its scheme and its server are left, where these are certain.
 */
export function hideSecrets(name: SettingName, text: string): string {
  if (/_HEADERS(?:_FILE)?$/.test(name) && !isPlain(name, text)) return '***'
  return splitUrls(text)
    .map((part) => {
      if (isPlain(name, part)) return part
      return isReadable(part) ? hideParameters(hideLogin(part)) : nameServer(part)
    })
    .join()
}

function isReadable(text: string): boolean {
  return serverKindOf(text) !== null || (/^https?:\/\/\S*$/.test(text) && URL.canParse(text))
}

function hideLogin(url: string): string {
  return url.replace(
    /\/\/(.*)@/s,
    // The user of a service may be a key.
    (_, login: string) =>
      `//${!url.startsWith('http') && login.includes(':') ? `${login.split(':')[0]}:` : ''}***@`,
  )
}

/** From the first that may be secret on: where an unescaped mark ends its value, the rest looks like others. */
function hideParameters(url: string): string {
  for (const { index, 0: parameter } of url.matchAll(/(?<=[?&#])[^?&#]+/g)) {
    if (plainParameter.test(parameter)) continue
    const name = /^[^=]*=/.exec(parameter)?.[0] ?? ''
    return `${url.slice(0, index)}${name}***`
  }
  return url
}

/** Whether nothing in it can be a login, nor a value that belongs to a name. */
function isPlain(name: SettingName, text: string): boolean {
  if (name.endsWith('_HEADERS')) return text === ''
  if (name.endsWith('_FILE')) return !/[@:=]/.test(text)
  if (!/_URLS?$/.test(name)) return !/@|:\/\/[^/]*:/.test(text) && !secretValue.test(text)
  if (/^sqlite:(?!.*:\/\/)/is.test(text)) return true
  const plain = /^(?:[a-z]+:\/\/)?[\w.-]*(?::\d{1,5})?(?:[/?#][\w./?#-]*=?)?$/i
  return text.split(',').every((word) => plain.test(word) && !secretName.test(word))
}

function nameServer(text: string): string {
  const [, scheme = '', host = ''] = /^([a-z]+:\/\/)?([\w.-]+(?=[/?]))?/i.exec(text) ?? []
  if (!text.includes('@')) return `${scheme}${scheme === '' ? '' : host}***`
  // Behind an "=", the last @ may belong to a value.
  const server = /^[^=]*(@[\w.-]+)(?::\d{1,5})?(?:[/?,][^@]*)?$/s.exec(text)?.[1] ?? ''
  return `${scheme}***${server}`
}
