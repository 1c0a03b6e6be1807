// Access logs in JSON, of servers, proxies and clouds, with whatever keys an operator has chosen. A
// collector's object may hold the line of another format instead.

import { isUtf8 } from 'node:buffer'
import { isDeeper, isObject } from '../../json.ts'
import { meaningOf } from './names.ts'
import { type LogFormat, type Role, requestIn, requestOf } from './request.ts'
import { readText, withTime } from './wrappers.ts'

/** Levels of objects in a line; servers write four. */
const MAX_LEVELS = 8
/** Characters of the longest name that may have a meaning. */
const MAX_NAME_LENGTH = 60
/** Added to the rank of a target without a query: another member may have the whole target. */
const WITHOUT_QUERY = 50

/** If a line has several values of one of these roles, the line has several requests, and none is read. */
const ofOne: ReadonlySet<Role | 'text'> = new Set(['request', 'method', 'target', 'query', 'text'])

/** The parts of a request that the members of an object hold; `text` is a line of another format. */
type RequestMembers = Partial<Record<Role | 'text', string>>

/** Several formats try the same line. */
let latest: { readonly line: string; readonly members: RequestMembers | null } = { line: '', members: null }

/** Reads the members of a line; null if the line is no object. */
function membersOf(line: string): RequestMembers | null {
  if (line !== latest.line) latest = { line, members: line.startsWith('{') ? readMembers(line) : null }
  return latest.members
}

function readMembers(line: string): RequestMembers | null {
  const json = parse(line)
  if (json === null) return null
  const fields: RequestMembers = {}
  const ranks: Partial<Record<Role | 'text', number>> = {}

  function visit(object: Readonly<Record<string, unknown>>, before: string, isOneOfSeveral: boolean): void {
    for (const name in object) {
      const path = before === '' ? name : `${before}.${name}`
      if (path.length > MAX_NAME_LENGTH) continue
      const value = object[name]
      const first = Array.isArray(value) ? value[0] : value
      const isSeveral = isOneOfSeveral || (Array.isArray(value) && value.length > 1)
      if (isObject(first)) {
        visit(first, path, isSeveral)
        continue
      }
      const meaning = meaningOf(path)
      if (meaning === null) continue
      const { role } = meaning
      // A list of numbers is one text, as its bytes.
      if (isSeveral && ofOne.has(role) && typeof first !== 'number') continue
      const text = json?.textOf(role === 'text' ? value : first) ?? ''
      const rank = role === 'target' && !text.includes('?') ? meaning.rank + WITHOUT_QUERY : meaning.rank
      if (text === '' || rank >= (ranks[role] ?? Number.POSITIVE_INFINITY)) continue
      fields[role] = text
      ranks[role] = rank
    }
  }

  visit(json.value, '', false)
  // Some call the target a request.
  if (fields.target === undefined && fields.request?.startsWith('/')) fields.target = fields.request
  return fields
}

function parse(line: string) {
  if (isDeeper(line, MAX_LEVELS)) return null
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
const jsonFormat = (isRequest: (members: RequestMembers, line: string) => boolean): LogFormat => ({
  name: 'JSON',
  read: (line) => {
    const members = membersOf(line)
    return members !== null && isRequest(members, line) ? requestOf(members, (text) => text) : 'unreadable'
  },
})

export const json = jsonFormat(
  ({ method, target, request = '' }) =>
    (method !== undefined && target !== undefined) || requestIn(request) !== null,
)

/** A path by itself may be that of a file in a log of errors, unless some name is one of logs of requests. */
export const jsonWithoutMethod = jsonFormat(
  ({ target }, line) =>
    target !== undefined && /"[^"]{0,60}(?:method|verb|request)[^"]{0,60}"\s{0,5}:/i.test(line),
)

/** Docker and containerd cut longer lines into pieces of this length. */
const PIECE_BYTES = 16 * 1024

/** An object with the line in `message`, `log` or another name of `names.ts`: of Docker or collectors. */
export const inJson: LogFormat = {
  name: '',
  read: (line, { readInner }) => {
    const { time, text } = membersOf(line) ?? {}
    if (text === undefined) return 'unreadable'
    const isPiece = text.length >= PIECE_BYTES && !text.endsWith('\n') && line.includes('"stream":')
    return isPiece ? 'unreadable' : withTime(readText(text.replace(/\r?\n$/, ''), readInner), time)
  },
}
