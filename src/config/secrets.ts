// How the texts of settings are shown without their passwords and keys.

import { serverKindOf, splitUrls } from './database.ts'

/** A text that a setting refused: none of it is shown if it may have a password or a key. */
export function hideRefused(name: string, text: string): string {
  return /_(?:URLS?|HEADERS)$/.test(name) ? '***' : hideSecrets(name, text)
}

/** A text that a setting allows; operators read it, and may pass it on. */
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

/** Any other parameter may be secret, such as a misspelt password. */
const plainParameter =
  /^(?:host|port|user|dbname|socket|ssl(?:-?mode|-?ca|-?cert|rootcert|negotiation)?|application_name|options)=[^=]*$/

/** Hides all after the name of the first secret: an unescaped mark in its value looks like another parameter. */
function hideParameters(url: string): string {
  for (const { index, 0: parameter } of url.matchAll(/(?<=[?&#])[^?&#]+/g)) {
    if (plainParameter.test(parameter)) continue
    const name = /^[^=]*=/.exec(parameter)?.[0] ?? ''
    return `${url.slice(0, index)}${name}***`
  }
  return url
}
