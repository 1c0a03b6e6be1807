// The service without GraphQL, with every trick of the gateway: the query string is split by hand, requests
// that arrive together are looked up together, rows come as arrays, and JSON is written by hand, in PHP's
// bytes, with the gateway's headers.

import { hash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { SQLOutputValue } from 'node:sqlite'
import { host, openDatabase, port } from './place.ts'

type Row = Record<number, SQLOutputValue>

interface Waiting {
  readonly ids: readonly string[]
  readonly response: ServerResponse
}

const statement = openDatabase().prepare(
  `SELECT found.id, username, display_name, rank, join_date, is_confirmed, banned
   FROM json_each(?) AS asked LEFT JOIN users AS found ON found.id = asked.value`,
)
statement.setReturnArrays(true)

let waiting: Waiting[] = []

function lookUp(asked: Waiting): void {
  waiting.push(asked)
  if (waiting.length === 1) setImmediate(answerAll)
}

function answerAll(): void {
  const lists = waiting
  waiting = []
  const rows: Row[] = statement.all(`[${lists.map(({ ids }) => ids.join()).join()}]`)
  let next = 0
  for (const { ids, response } of lists) {
    send(response, 200, writeAnswer(ids, rows, next))
    next += ids.length
  }
}

function writeAnswer(ids: readonly string[], rows: readonly Row[], first: number): string {
  let members = ''
  for (let index = 0; index < ids.length; index++) {
    const row = rows[first + index]
    if (row === undefined || row[0] === null) continue
    members += `${members === '' ? '' : ','}"${ids[index]}":{"Id":${row[0]},"Username":${quote(row[1])},"DisplayName":${quote(row[2])},"Rank":${row[3]},"JoinDate":${row[4]},"IsConfirmed":${row[5] === 1},"Banned":${row[6] === 1}}`
  }
  return `{${members}}`
}

const special = /["\\/\x00-\x1f\x80-\uffff]/
const everySpecial = /["\\/\x00-\x1f\x80-\uffff]/g
const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function quote(value: SQLOutputValue | undefined): string {
  const text = String(value)
  return special.test(text) ? `"${text.toWellFormed().replace(everySpecial, escapeUnit)}"` : `"${text}"`
}

function escapeUnit(unit: string): string {
  return short[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const exposed = ['Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id']
const open = ['Access-Control-Allow-Origin', '*', ...exposed, 'X-Content-Type-Options', 'nosniff']
const common = [...open, 'Cache-Control']
const found = [...common, 'public, max-age=0', 'Content-Type', 'application/json; charset=utf-8']
const refused = [...common, 'no-store', 'Content-Type', 'application/json; charset=utf-8']

function send(response: ServerResponse, status: number, body: string): void {
  const headers = status === 200 ? [...found, 'ETag', `"${hash('sha1', body, 'base64url')}"`] : [...refused]
  headers.push('Content-Length', String(body.length))
  response.writeHead(status, headers)
  response.end(body, 'latin1')
}

const encoded = /[%+\x80-\xff]/
const decode = (text: string): string =>
  encoded.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text

/** @returns `null` where it is no lookup of identifiers */
function readIds(url: string): readonly string[] | null {
  let event = ''
  let users = ''
  for (const part of url.slice(url.indexOf('?') + 1).split('&')) {
    const equals = part.indexOf('=')
    const name = decode(part.slice(0, equals))
    if (name === 'Event') event = decode(part.slice(equals + 1))
    else if (name === 'Users') users = decode(part.slice(equals + 1))
  }
  if (event !== 'ProfileLookup') return null
  const segments = users.split(':')
  const distinct = new Set(segments)
  const ids = distinct.size === segments.length ? segments : [...distinct]
  return ids.length <= 1000 && ids.every((id) => canonicalId.test(id)) ? ids : null
}

const canonicalId = /^(?:0|[1-9]\d{0,14})$/

const server = createServer((request, response) => {
  const ids = readIds(request.url ?? '')
  if (ids !== null) lookUp({ ids, response })
  else send(response, 400, '{"Error":{"Code":"BadRequest","Message":"This cannot be looked up."}}')
})
server.listen(port, host)
