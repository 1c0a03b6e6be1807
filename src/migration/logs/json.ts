// Access logs in JSON, read by the names of their members: those of servers, proxies and clouds, and whatever
// an operator has chosen.

import { isUtf8 } from 'node:buffer'
import { isDeeper, isObject } from '../../json.ts'
import { type LineReader, type LogFormat, type Role, requestIn, requestOf } from './request.ts'
import { createTimeReader } from './time.ts'

/**
 * The names of members in lower case, without `_`, `-`, `.`, `@`, brackets and blanks: `request_uri`, `requestUri` and
 * `request.uri` are the same name. If a line has several of a role, the first in this list counts.
 */
const names = {
  request: 'request requestline httprequest req',
  method: 'requestmethod method httpmethod verb clientrequestmethod csmethod httpverb',
  target: `originalrequesturiwithargs requesturi clientrequesturi requestpath uri url requesturl urloriginal
    requrl httptarget httpurl urlfull csuristem clientrequestpath path urlpath target requesttarget`,
  query: 'args querystring query arguments urlquery requestquery requestargs csuriquery',
  address: `requestclientip clientip realip remoteaddr requestremoteip remoteip clienthost clientaddr
    clientaddress sourceip remotehost ip client addr remoteaddress downstreamremoteaddress remote address cip`,
  forwarded: 'httpxforwardedfor xforwardedfor forwardedfor requestxforwardedfor xff',
  userAgent: `httpuseragent useragent requestuseragent clientrequestuseragent useragentoriginal csuseragent
    agent ua`,
  referer: `httpreferer referer referrer httpreferrer requestreferer requestreferrer clientrequestreferer
    csreferer ref`,
  time: `timeiso8601 msec startutc edgestarttimestamp timestamp time timelocal ts datetime date starttime
    startlocal requesttime realtimetimestamp t`,
  text: `log message msg line textpayload raw eventoriginal shortmessage fullmessage logmessage logentry
    properties`,
} as const satisfies Partial<Record<Role | 'text', string>>

/** What an object may be called that only holds the members of a request. */
const envelopes = new Set(
  `access accesslog apache attributes context data event eventdata fields headers http httprequest json
  jsonpayload log message meta msg nginx payload properties record req request result source traefik`.split(
    /\s+/,
  ),
)

interface Meaning {
  readonly role: Role | 'text' | null
  /** The lowest one counts. Each envelope around a member adds 100. */
  readonly rank: number
  /** Whether the name is one of logs of requests. */
  readonly isSign: boolean
}

const meanings = new Map<string, Pick<Meaning, 'rank'> & { readonly role: Role | 'text' }>()
for (const role of [
  'request',
  'method',
  'target',
  'query',
  'address',
  'forwarded',
  'userAgent',
  'referer',
  'time',
  'text',
] as const)
  for (const [rank, name] of names[role].split(/\s+/).entries()) meanings.set(name, { role, rank })

function meaningOf(path: string): Meaning {
  const isSign = /method|verb|request/i.test(path)
  const parts = path
    .toLowerCase()
    .replace(/[_\-@() ]/g, '')
    .split('.')
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const known = meanings.get(parts.slice(dropped).join(''))
    if (known !== undefined) return { ...known, rank: known.rank + 100 * dropped, isSign }
    if (!envelopes.has(parts[dropped] ?? '')) break
  }
  return { role: null, rank: 0, isSign }
}

/** Added to the rank of a target without a query: another member may have it whole. */
const WITHOUT_QUERY = 50

/** Levels of objects in a line; servers write four. */
const MAX_LEVELS = 8
/** Members of an object that are looked at. */
const MAX_MEMBERS = 200
/** Characters of the longest name that is looked up. */
const MAX_NAME_LENGTH = 60
/** Names whose meaning is cached. A server that makes up a name for each request must not fill the memory. */
const MAX_CACHED_NAMES = 1_000

export interface Members {
  readonly fields: Partial<Record<Role | 'text', string>>
  /** Whether a name is one of logs of requests. */
  readonly hasSign: boolean
}

/** @returns reads the members of a line; null if the line is no object */
export function createMemberReader(): (line: string) => Members | null {
  const cache = new Map<string, Meaning>()

  function cachedMeaning(path: string): Meaning {
    const known = cache.get(path)
    if (known !== undefined) return known
    const meaning = meaningOf(path)
    if (cache.size < MAX_CACHED_NAMES) cache.set(path, meaning)
    return meaning
  }

  return (line) => {
    const json = parse(line)
    if (json === null) return null
    const fields: Members['fields'] = {}
    const ranks: Partial<Record<Role | 'text', number>> = {}
    let hasSign = false

    function visit(object: Readonly<Record<string, unknown>>, before: string): void {
      let left = MAX_MEMBERS
      for (const name in object) {
        if (left-- === 0) return
        const path = before === '' ? name : `${before}.${name}`
        if (path.length > MAX_NAME_LENGTH) continue
        const value = object[name]
        const first = Array.isArray(value) ? value[0] : value
        if (isObject(first)) {
          visit(first, path)
          continue
        }
        const { role, rank: known, isSign } = cachedMeaning(path)
        hasSign ||= isSign
        if (role === null || known >= (ranks[role] ?? Number.POSITIVE_INFINITY)) continue
        const text = role === 'text' ? json?.textOf(value) : json?.textOf(first)
        if (text === undefined || text === '') continue
        const rank = role === 'target' && !text.includes('?') ? known + WITHOUT_QUERY : known
        if (rank >= (ranks[role] ?? Number.POSITIVE_INFINITY)) continue
        fields[role] = text
        ranks[role] = rank
      }
    }

    visit(json.value, '')
    // Some call the target a request.
    if (fields.target === undefined && fields.request?.startsWith('/')) fields.target = fields.request
    return { fields, hasSign }
  }
}

function parse(line: string) {
  if (!line.startsWith('{') || isDeeper(line, MAX_LEVELS)) return null
  const bytes = /[\x80-\xff]/.test(line) ? Buffer.from(line, 'latin1') : null
  // Servers pass on the bytes of a client that are not UTF-8, in a text that should be.
  const isText = bytes === null || isUtf8(bytes)
  try {
    const value: unknown = JSON.parse(bytes !== null && isText ? bytes.toString('utf8') : line)
    return isObject(value) ? { value, textOf: isText ? bytesOf : textOf } : null
  } catch {
    return null
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return value === '-' ? '' : value
  // systemd's journal has a text that is not UTF-8 as a list of its bytes.
  return Array.isArray(value) && typeof value[0] === 'number' ? Buffer.from(value).toString('latin1') : ''
}

function bytesOf(value: unknown): string {
  const text = textOf(value)
  return typeof value === 'string' && /[^\0-\x7f]/.test(text)
    ? Buffer.from(text, 'utf8').toString('latin1')
    : text
}

/** @param isRequest whether the members are surely those of a request */
function openJson(isRequest: (members: Members) => boolean): () => LineReader {
  return () => {
    const membersOf = createMemberReader()
    const timeOf = createTimeReader()
    return (line) => {
      const members = membersOf(line)
      if (members === null || !isRequest(members)) return 'unreadable'
      return requestOf(members.fields, timeOf, (text) => text)
    }
  }
}

const hasMethod = ({ fields: { method, target, request } }: Members) =>
  (method !== undefined && target !== undefined) || (request !== undefined && requestIn(request) !== null)

const jsonFormat = (name: string, detect: RegExp): LogFormat => ({ name, detect, open: openJson(hasMethod) })

export const jsonFormats: readonly LogFormat[] = [
  jsonFormat('Caddy JSON', /^\{.{0,500}(?:"logger":"http\.log\.access|"request":\{"remote_)/s),
  jsonFormat('Traefik JSON', /^\{.{0,5000}"(?:ClientHost|RequestPath|DownstreamStatus)":/s),
  jsonFormat('JSON', /^\{/),
]

/** A path by itself may be that of a file in a log of errors, unless some name is one of logs of requests. */
export const jsonWithoutMethod: LogFormat = {
  name: 'JSON',
  detect: /^\{/,
  open: openJson(({ fields, hasSign }) => fields.target !== undefined && hasSign),
}
