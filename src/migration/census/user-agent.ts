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
const engines =
  /^(?:Mozilla|AppleWebKit|Gecko|KHTML|Safari|Chrome|Chromium|Version|Mobile|Electron|Tablet|Build|U)$/
/** Products that are better known by another name. */
const commonNames = new Map([
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
])

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
  const [, name = '', version] = /^([^/(;,]*)(?:\/([^\s;,()]*))?/.exec(text) ?? []
  // Some write a blank instead of the slash.
  const [, words, last] = version === undefined ? (/^(.+) (v?\d[\w.]*)$/.exec(name.trim()) ?? []) : []
  return { family: words ?? (name.trim() || text), version: last ?? version ?? '' }
}

function browserOf(text: string): Agent {
  const [, crawler, itsVersion = ''] =
    /compatible; (?!MSIE )([^;/()]{1,60})(?:\/([\w.]{1,20}))?/.exec(text) ?? []
  if (crawler !== undefined) return { family: crawler.trim(), version: itsVersion }
  const all = text.replace(/\([^()]*\)/g, ' ').matchAll(/(?<=^| )([A-Za-z][\w.-]*)\/(\S+)/g)
  const products = new Map(Array.from(all, ([, name = '', version = '']) => [name, version]))
  const own =
    [...products.keys()].findLast((name) => !engines.test(name)) ??
    ['Chrome', 'Safari'].find((name) => products.has(name))
  if (own !== undefined)
    return {
      family: commonNames.get(own) ?? own,
      version: products.get(own === 'Safari' ? 'Version' : own) ?? '',
    }
  const [, explorer] = /(?:MSIE |Trident\/.* rv:)([\d.]{1,20})/.exec(text) ?? []
  return explorer === undefined
    ? { family: 'Mozilla', version: '' }
    : { family: 'Internet Explorer', version: explorer }
}
