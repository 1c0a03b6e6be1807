// How members of JSON logs are called, which operators choose themselves.

const roles = [
  'request',
  'method',
  'target',
  'query',
  'address',
  'forwarded',
  'userAgent',
  'referer',
  'time',
  'body',
] as const

export type Role = (typeof roles)[number]

/**
 * Names in lower case and without `_`, `-`, `.`, `@` and blanks: `request_uri`, `requestUri` and
 * `request.uri` are one. Of several, the first counts.
 */
const names: Readonly<Record<Role, readonly string[]>> = {
  request: ['request', 'requestline', 'httprequest', 'req'],
  method: [
    'requestmethod',
    'method',
    'httpmethod',
    'verb',
    'httprequestmethod',
    'httprequestrequestmethod',
    'reqmethod',
    'metareqmethod',
    'httpverb',
  ],
  target: [
    'requesturi',
    'requestpath',
    'uri',
    'url',
    'requesturl',
    'urloriginal',
    'httprequestrequesturl',
    'requrl',
    'requri',
    'metarequrl',
    'httptarget',
    'httpurl',
    'path',
    'urlpath',
    'target',
    'requesttarget',
  ],
  query: ['args', 'querystring', 'query', 'arguments', 'urlquery', 'requestquery', 'requestargs'],
  address: [
    'requestclientip',
    'clientip',
    'realip',
    'remoteaddr',
    'requestremoteip',
    'remoteip',
    'clienthost',
    'clientaddr',
    'clientaddress',
    'sourceip',
    'remotehost',
    'ip',
    'client',
    'addr',
    'httprequestremoteip',
    'reqremoteaddress',
    'remoteaddress',
    'downstreamremoteaddress',
    'remote',
    'address',
  ],
  forwarded: [
    'httpxforwardedfor',
    'xforwardedfor',
    'forwardedfor',
    'requestxforwardedfor',
    'requestheadersxforwardedfor',
    'reqheadersxforwardedfor',
    'metareqheadersxforwardedfor',
    'xff',
  ],
  userAgent: [
    'httpuseragent',
    'useragent',
    'requestuseragent',
    'requestheadersuseragent',
    'useragentoriginal',
    'httprequestuseragent',
    'headersuseragent',
    'reqheadersuseragent',
    'metareqheadersuseragent',
    'agent',
    'ua',
  ],
  referer: [
    'httpreferer',
    'referer',
    'referrer',
    'httpreferrer',
    'requestreferer',
    'requestheadersreferer',
    'httprequestreferrer',
    'httprequestreferer',
    'headersreferer',
    'reqheadersreferer',
    'metareqheadersreferer',
    'ref',
  ],
  time: [
    'timeiso8601',
    'msec',
    'startutc',
    'timestamp',
    'time',
    'timelocal',
    'ts',
    'datetime',
    'date',
    'starttime',
    'startlocal',
    't',
  ],
  body: ['requestbody', 'body', 'postdata', 'httprequestbodycontent', 'requestbodydata', 'postbody'],
}

export interface Meaning {
  readonly role: Role
  /** The lower one counts. */
  readonly rank: number
}

const meanings = new Map<string, Meaning>(
  roles.flatMap((role) => names[role].map((name, rank): [string, Meaning] => [name, { role, rank }])),
)

/** No name that means something is longer. */
const MAX_NAME_LENGTH = 60
/** Names whose meaning is kept; a server that makes up a name for each request must not fill the memory. */
const MAX_KEPT_NAMES = 1_000

/** @returns what finds the meaning of a member by its path; `undefined` where it has none */
export function createMeanings(): (path: string) => Meaning | undefined {
  const kept = new Map<string, Meaning | undefined>()
  return (path) => {
    if (path.length > MAX_NAME_LENGTH) return undefined
    if (kept.has(path)) return kept.get(path)
    const meaning = meanings.get(path.toLowerCase().replace(/[_\-.@ ]/g, ''))
    if (kept.size < MAX_KEPT_NAMES) kept.set(path, meaning)
    return meaning
  }
}
