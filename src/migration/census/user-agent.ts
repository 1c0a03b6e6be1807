// The program of a client, from its User-Agent: a family for all versions of it, and the version.

import { visible } from '../../text.ts'

export interface Agent {
  /** Empty if the client has no User-Agent. */
  readonly family: string
  /** Empty if the User-Agent has no version. */
  readonly version: string
}

/** Characters of a User-Agent that are read; browsers send some 130. */
export const MAX_AGENT_LENGTH = 300
/** Characters of a family's name, and of a version, that are kept. */
const MAX_FAMILY_LENGTH = 60
const MAX_VERSION_LENGTH = 20

/** Products that are not the name of a browser: every browser claims to be several others. */
const engines: ReadonlySet<string> = new Set(
  'Mozilla AppleWebKit Gecko KHTML Safari Chrome Chromium Version Mobile Electron Tablet Build U'.split(' '),
)
/** Products that are better known by another name. */
const commonNames: Readonly<Record<string, string>> = {
  Edg: 'Edge',
  EdgA: 'Edge',
  EdgiOS: 'Edge',
  OPR: 'Opera',
  FxiOS: 'Firefox',
  CriOS: 'Chrome',
  SamsungBrowser: 'Samsung Internet',
  YaBrowser: 'Yandex Browser',
}

/** @param text one character for each byte, as it was sent */
export function agentOf(text: string): Agent {
  // The bytes are nearly always UTF-8.
  const decoded = Buffer.from(text.slice(0, MAX_AGENT_LENGTH), 'latin1').toString('utf8')
  const readable = visible(decoded).trim()
  const { family, version } = /^Mozilla\/\d/.test(readable) ? browserOf(readable) : productOf(readable)
  return { family: family.slice(0, MAX_FAMILY_LENGTH).trim(), version: version.slice(0, MAX_VERSION_LENGTH) }
}

/** `Client/1.0 (...)`, `Client 1.0`, `Client`: the name precedes the version. */
function productOf(text: string): Agent {
  const end = text.search(/[/(;,]/)
  const name = (end === -1 ? text : text.slice(0, end)).trim()
  if (text[end] === '/') return { family: name || text, version: versionAt(text, end + 1) }
  // Some write a blank instead of the slash.
  const blank = name.lastIndexOf(' ')
  const last = name.slice(blank + 1)
  return blank > 0 && /^v?\d[\w.]*$/.test(last)
    ? { family: name.slice(0, blank), version: last }
    : { family: name || text, version: '' }
}

function browserOf(text: string): Agent {
  const claimed = /compatible; ([^;/()]{1,60})(?:\/([\w.]{1,20}))?/.exec(text)
  if (claimed !== null && !/^MSIE /.test(claimed[1] ?? ''))
    return { family: (claimed[1] ?? '').trim(), version: claimed[2] ?? '' }
  const products = [...text.replace(/\([^()]*\)/g, ' ').matchAll(/(?<=^| )([A-Za-z][\w.-]*)\/(\S+)/g)]
  const versionOf = (name: string) => products.find(([, product]) => product === name)?.[2]
  const own = products.findLast(([, name = '']) => !engines.has(name))
  if (own !== undefined) return { family: commonNames[own[1] ?? ''] ?? own[1] ?? '', version: own[2] ?? '' }
  const chrome = versionOf('Chrome') ?? versionOf('Chromium')
  if (chrome !== undefined) return { family: 'Chrome', version: chrome }
  if (versionOf('Safari') !== undefined) return { family: 'Safari', version: versionOf('Version') ?? '' }
  const [, old] = /MSIE ([\d.]{1,20})/.exec(text) ?? []
  if (old !== undefined || text.includes('Trident/'))
    return { family: 'Internet Explorer', version: old ?? /rv:([\d.]{1,20})/.exec(text)?.[1] ?? '' }
  return { family: 'Mozilla', version: '' }
}

function versionAt(text: string, at: number): string {
  return /^[^\s;,()]*/.exec(text.slice(at, at + MAX_VERSION_LENGTH))?.[0] ?? ''
}
