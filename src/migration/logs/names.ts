// The names of JSON members and W3C fields in the logs of all programs.

import type { Role } from './request.ts'

/**
 * In lower case, without `_`, `-`, `.`, `:`, `@`, brackets and blanks: `request_uri` is `request.Uri`.
 * If a line has several of a role, the first in this list counts. A `text` holds another line.
 */
const names: readonly (readonly [Role | 'text', string])[] = [
  ['request', 'request requestline httprequest req'],
  ['method', 'requestmethod method httpmethod verb clientrequestmethod csmethod httpverb'],
  [
    'target',
    `originalrequesturiwithargs originalurl requesturi clientrequesturi requestpath uri url requesturl
    urloriginal requrl httptarget httpurl urlfull csuristem csuri clientrequestpath path urlpath target
    requesttarget`,
  ],
  ['query', 'args querystring query arguments urlquery requestquery requestargs csuriquery'],
  [
    'address',
    `requestclientip clientip realip remoteaddr requestremoteip remoteip clienthost clientaddr clientaddress
    sourceip remotehost ip client addr remoteaddress downstreamremoteaddress remote address cip`,
  ],
  ['forwarded', 'httpxforwardedfor xforwardedfor csxforwardedfor forwardedfor requestxforwardedfor xff fwd'],
  [
    'userAgent',
    'httpuseragent useragent requestuseragent clientrequestuseragent useragentoriginal csuseragent agent ua',
  ],
  [
    'referer',
    `httpreferer referer referrer httpreferrer requestreferer requestreferrer clientrequestreferer csreferer
    ref`,
  ],
  [
    'time',
    `timeiso8601 msec startutc edgestarttimestamp timestamp time timelocal ts datetime date starttime startlocal
    requesttime realtimetimestamp t`,
  ],
  [
    'text',
    'log message msg line textpayload raw eventoriginal shortmessage fullmessage logmessage logentry properties',
  ],
]

/** Names of an object that only holds the members of a request. */
const envelopes = new Set(
  `access accesslog apache attributes context data event eventdata fields headers http httprequest json
  jsonpayload log message meta msg nginx payload properties record req request result source traefik`.split(
    /\s+/,
  ),
)

interface RoleRank {
  readonly role: Role | 'text'
  /** The lowest one counts. */
  readonly rank: number
}

const meanings = new Map(
  names.flatMap(([role, list]) =>
    list.split(/\s+/).map((name, rank): [string, RoleRank] => [name, { role, rank }]),
  ),
)

/** Names that a server makes up for each request must not fill the memory. */
const MAX_CACHED_NAMES = 1_000
const cache = new Map<string, RoleRank | null>()

/** Each envelope around a name adds 100 to its rank. @returns null for a name without a meaning */
export function meaningOf(path: string): RoleRank | null {
  const known = cache.get(path)
  if (known !== undefined) return known
  const meaning = find(path)
  if (cache.size < MAX_CACHED_NAMES) cache.set(path, meaning)
  return meaning
}

function find(path: string): RoleRank | null {
  const parts = path
    .toLowerCase()
    .replace(/[_\-@(): ]/g, '')
    .split('.')
  for (let dropped = 0; dropped < parts.length; dropped++) {
    const known = meanings.get(parts.slice(dropped).join(''))
    if (known !== undefined) return { ...known, rank: known.rank + 100 * dropped }
    if (!envelopes.has(parts[dropped] ?? '')) break
  }
  return null
}
