// Access logs in JSON: nginx and Apache with keys of the operator's choice, Caddy, Traefik, and whatever is
// like them.

import { addressIn, type LoggedRequest, type NoRequest, requestIn } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, type LogFormat, plainFormat } from './format.ts'
import { createMeanings, type Role } from './json-keys.ts'
import { eachMember, type JsonLine, parseJsonLine } from './json-line.ts'

type Found = Partial<Record<Role, string>>

function createReader(): LineReader {
  const meaningOf = createMeanings()
  const timeOf = createTimeReader()

  function fieldsOf({ value, textOf }: JsonLine): Found {
    const found: Found = {}
    const ranks: Partial<Record<Role, number>> = {}
    eachMember(value, (path, member) => {
      const meaning = meaningOf(path)
      if (meaning === undefined || meaning.rank >= (ranks[meaning.role] ?? Number.POSITIVE_INFINITY)) return
      const text = textOf(member)
      if (text === '') return
      found[meaning.role] = text
      ranks[meaning.role] = meaning.rank
    })
    return found
  }

  return (line) => {
    const json = parseJsonLine(line)
    if (json === null) return 'unreadable'
    const fields = fieldsOf(json)
    const asked = askedIn(fields)
    if (typeof asked === 'string') return asked
    return {
      ...asked,
      address: addressIn(fields.forwarded ?? fields.address ?? ''),
      userAgent: fields.userAgent ?? '',
      referer: fields.referer ?? '',
      time: fields.time === undefined ? null : timeOf(fields.time),
      ...(fields.body === undefined ? {} : { body: fields.body }),
    }
  }
}

function askedIn(fields: Found): Pick<LoggedRequest, 'method' | 'target'> | NoRequest {
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
