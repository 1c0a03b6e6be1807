// Access logs in JSON: nginx and Apache with keys of the operator's choice, Caddy, Traefik, the gateway's own
// (ACCESS_LOG), and whatever is like them.

import { addressIn, type LoggedRequest, type NoRequest, requestIn } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, type LogFormat, plainFormat } from './format.ts'
import { eachMember, parseJsonLine } from './json-line.ts'

/**
 * The names of members, in lower case and without `_`, `-`, `.`, `@` and blanks: `request_uri`,
 * `requestUri` and `request.uri` are the same name. If a line has several of them, the first in this list
 * counts.
 */
const names = [
  ['request', 'request requestline httprequest req'],
  [
    'method',
    `requestmethod method httpmethod verb httprequestmethod httprequestrequestmethod reqmethod
    metareqmethod httpverb`,
  ],
  [
    'target',
    `requesturi requestpath uri url requesturl urloriginal httprequestrequesturl requrl requri metarequrl
    httptarget httpurl path urlpath target requesttarget`,
  ],
  ['query', 'args querystring query arguments urlquery requestquery requestargs'],
  [
    'address',
    `requestclientip clientip realip remoteaddr requestremoteip remoteip clienthost clientaddr
    clientaddress sourceip remotehost ip client addr httprequestremoteip reqremoteaddress remoteaddress
    downstreamremoteaddress remote address`,
  ],
  [
    'forwarded',
    `httpxforwardedfor xforwardedfor forwardedfor requestxforwardedfor requestheadersxforwardedfor
    reqheadersxforwardedfor metareqheadersxforwardedfor xff`,
  ],
  [
    'userAgent',
    `httpuseragent useragent requestuseragent requestheadersuseragent useragentoriginal
    httprequestuseragent headersuseragent reqheadersuseragent metareqheadersuseragent agent ua`,
  ],
  [
    'referer',
    `httpreferer referer referrer httpreferrer requestreferer requestheadersreferer httprequestreferrer
    httprequestreferer headersreferer reqheadersreferer metareqheadersreferer ref`,
  ],
  ['time', 'timeiso8601 msec startutc timestamp time timelocal ts datetime date starttime startlocal t'],
] as const

type Role = (typeof names)[number][0]

interface Meaning {
  readonly role: Role
  /** The place in the list of names. The lowest one counts. */
  readonly rank: number
}

const meanings = new Map<string, Meaning>()
for (const [role, list] of names)
  for (const [rank, name] of list.split(/\s+/).entries()) meanings.set(name, { role, rank })

/** Characters of the longest name that is looked up. */
const MAX_NAME_LENGTH = 60
/** Names that are cached. A server that makes up a name for each request must not fill the memory. */
const MAX_CACHED_NAMES = 1_000

function createReader(): LineReader {
  const cache = new Map<string, Meaning | undefined>()
  const timeOf = createTimeReader()

  function meaningOf(path: string): Meaning | undefined {
    if (path.length > MAX_NAME_LENGTH) return undefined
    if (cache.has(path)) return cache.get(path)
    const meaning = meanings.get(path.toLowerCase().replace(/[_\-.@ ]/g, ''))
    if (cache.size < MAX_CACHED_NAMES) cache.set(path, meaning)
    return meaning
  }

  return (line) => {
    const json = parseJsonLine(line)
    if (json === null) return 'unreadable'
    const fields: Partial<Record<Role, string>> = {}
    const ranks: Partial<Record<Role, number>> = {}
    eachMember(json.value, (path, member) => {
      const meaning = meaningOf(path)
      if (meaning === undefined || meaning.rank >= (ranks[meaning.role] ?? Number.POSITIVE_INFINITY)) return
      const text = json.textOf(member)
      if (text === '') return
      fields[meaning.role] = text
      ranks[meaning.role] = meaning.rank
    })
    const asked = askedIn(fields)
    if (typeof asked === 'string') return asked
    return {
      ...asked,
      address: addressIn(fields.forwarded ?? fields.address ?? ''),
      userAgent: fields.userAgent ?? '',
      referer: fields.referer ?? '',
      time: fields.time === undefined ? null : timeOf(fields.time),
    }
  }
}

function askedIn(
  fields: Readonly<Partial<Record<Role, string>>>,
): Pick<LoggedRequest, 'method' | 'target'> | NoRequest {
  const { request, target, query, method } = fields
  const line = request === undefined ? null : requestIn(request)
  // Some call the path a request.
  const path = target ?? line?.target ?? (request?.startsWith('/') ? request : undefined)
  if (path === undefined) return request === undefined && method === undefined ? 'unreadable' : 'no request'
  const whole = query === undefined || path.includes('?') ? path : `${path}?${query.replace(/^\?/, '')}`
  return { method: method ?? line?.method ?? 'GET', target: whole }
}

const read = createReader()
/**
 * A path by itself may be that of a file in a log of errors; a request line with its protocol is one of HTTP,
 * whatever its key.
 */
const isRequest = (line: string) => {
  const json = line.startsWith('{') ? read(line) : null
  return (
    typeof json === 'object' &&
    json !== null &&
    (/"[^"]{0,60}(?:method|verb|request)[^"]{0,60}"\s{0,5}:/i.test(line) ||
      /"(?:GET|HEAD|POST) [^"]+ HTTP\/\d/.test(line))
  )
}

export const caddy: LogFormat = plainFormat(
  'Caddy JSON',
  createReader,
  (line) => /"logger":"http\.log\.access|"request":\{"remote_/.test(line) && isRequest(line),
)

export const traefik: LogFormat = plainFormat(
  'Traefik JSON',
  createReader,
  (line) => /"(?:ClientHost|RequestPath|DownstreamStatus)":/.test(line) && isRequest(line),
)

export const json: LogFormat = plainFormat('JSON', createReader, isRequest)
