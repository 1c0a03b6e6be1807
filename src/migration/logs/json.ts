// Access logs in JSON, of servers, proxies and clouds, with whatever keys an operator has chosen.

import { isUtf8 } from 'node:buffer'
import { isDeeper, isObject } from '../../json.ts'
import { meaningOf } from './names.ts'
import { type LogFormat, type RequestMembers, type Role, requestIn, requestOf } from './request.ts'
import { createTimeReader } from './time.ts'

/** Levels of objects in a line; servers write four. */
const MAX_LEVELS = 8
/** Members of an object that are read. */
const MAX_MEMBERS = 200
/** Characters of the longest name that may have a meaning. */
const MAX_NAME_LENGTH = 60
/** Names whose meaning is cached. Names that a server makes up for each request must not fill the memory. */
const MAX_CACHED_NAMES = 1_000
/** Added to the rank of a target without a query: another member may have the whole target. */
const WITHOUT_QUERY = 50

/** If a line has several values of one of these roles, the line has several requests, and none is read. */
const ofOne: ReadonlySet<Role | 'text'> = new Set(['request', 'method', 'target', 'query', 'text'])

/** @returns reads the members of a line; null if the line is no object */
export function createMemberReader(): (line: string) => RequestMembers | null {
  /** Several formats try the same line. */
  let last: { readonly line: string; readonly members: RequestMembers | null } = { line: '', members: null }
  const cache = new Map<string, ReturnType<typeof meaningOf>>()

  function cachedMeaning(path: string) {
    const known = cache.get(path)
    if (known !== undefined) return known
    const meaning = meaningOf(path)
    if (cache.size < MAX_CACHED_NAMES) cache.set(path, meaning)
    return meaning
  }

  function read(line: string): RequestMembers | null {
    const json = parse(line)
    if (json === null) return null
    const fields: RequestMembers = {}
    const ranks: Partial<Record<Role | 'text', number>> = {}

    function visit(object: Readonly<Record<string, unknown>>, before: string, isOneOfSeveral = false): void {
      let left = MAX_MEMBERS
      for (const name in object) {
        if (left-- === 0) return
        const path = before === '' ? name : `${before}.${name}`
        if (path.length > MAX_NAME_LENGTH) continue
        const value = object[name]
        const first = Array.isArray(value) ? value[0] : value
        const isSeveral = isOneOfSeveral || (Array.isArray(value) && value.length > 1)
        if (isObject(first)) {
          visit(first, path, isSeveral)
          continue
        }
        const meaning = cachedMeaning(path)
        if (meaning === null) continue
        const { role } = meaning
        // The bytes of a text are several, too.
        if (isSeveral && ofOne.has(role) && typeof first !== 'number') continue
        const text = json?.textOf(role === 'text' ? value : first) ?? ''
        const rank = role === 'target' && !text.includes('?') ? meaning.rank + WITHOUT_QUERY : meaning.rank
        if (text === '' || rank >= (ranks[role] ?? Number.POSITIVE_INFINITY)) continue
        fields[role] = text
        ranks[role] = rank
      }
    }

    visit(json.value, '')
    // Some call the target a request.
    if (fields.target === undefined && fields.request?.startsWith('/')) fields.target = fields.request
    return fields
  }

  return (line) => {
    if (line !== last.line) last = { line, members: read(line) }
    return last.members
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
  if (typeof value === 'string') {
    // Logstash's pattern for combined logs leaves the quotes around a User-Agent.
    const text = value.startsWith('"') ? value.replace(/^"(.*)"$/s, '$1') : value
    return text === '-' ? '' : text
  }
  if (typeof value === 'number') return String(value)
  // systemd's journal has a text that is not UTF-8 as a list of its bytes.
  return Array.isArray(value) && typeof value[0] === 'number' ? Buffer.from(value).toString('latin1') : ''
}

function bytesOf(value: unknown): string {
  return typeof value === 'string' && /[^\0-\x7f]/.test(value)
    ? Buffer.from(value, 'utf8').toString('latin1')
    : textOf(value)
}

/** @param isRequest whether the members are surely those of a request */
function jsonFormat(
  name: string,
  detect: RegExp,
  isRequest: (members: RequestMembers, line: string) => boolean,
): LogFormat {
  return {
    name,
    detect,
    open: ({ membersOf }) => {
      const timeOf = createTimeReader()
      return (line) => {
        const members = membersOf(line)
        if (members === null || !isRequest(members, line)) return 'unreadable'
        return requestOf(members, timeOf, (text) => text)
      }
    },
  }
}

const hasMethod = ({ method, target, request = '' }: RequestMembers) =>
  (method !== undefined && target !== undefined) || requestIn(request) !== null

export const jsonFormats: readonly LogFormat[] = [
  jsonFormat('Caddy JSON', /^\{.{0,500}(?:"logger":"http\.log\.access|"request":\{"remote_)/s, hasMethod),
  jsonFormat('Traefik JSON', /^\{.{0,5000}"(?:ClientHost|RequestPath|DownstreamStatus)":/s, hasMethod),
  jsonFormat('JSON', /^\{/, hasMethod),
]

/** A path by itself may be that of a file in a log of errors, unless some name is one of logs of requests. */
export const jsonWithoutMethod = jsonFormat(
  'JSON',
  /^\{/,
  ({ target }, line) =>
    target !== undefined && /"[^"]{0,60}(?:method|verb|request)[^"]{0,60}"\s{0,5}:/i.test(line),
)
