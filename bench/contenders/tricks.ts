// The service without GraphQL, with every trick of the gateway: the query string is split by hand, requests
// that arrive together are looked up together, rows come as arrays, and JSON is written by hand, in PHP's
// bytes, with the gateway's headers.

import { hash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { SQLOutputValue } from 'node:sqlite'
import { host, openDatabase, port } from './place.ts'

type Rows = readonly Readonly<Record<number, SQLOutputValue>>[]

interface Lookup {
  readonly ids: readonly string[]
  readonly response: ServerResponse
}

const statement = openDatabase().prepare(
  `SELECT found.id, username, display_name, rank, join_date, is_confirmed, banned
   FROM json_each(?) AS wanted LEFT JOIN users AS found ON found.id = wanted.value`,
)
statement.setReturnArrays(true)

let batch: Lookup[] = []

function answerBatch(): void {
  const lookups = batch
  batch = []
  const rows: Rows = statement.all(`[${lookups.map(({ ids }) => ids.join()).join()}]`)
  let first = 0
  for (const { ids, response } of lookups) {
    send(response, 200, writeBody(ids, rows, first))
    first += ids.length
  }
}

function writeBody(ids: readonly string[], rows: Rows, first: number): string {
  let members = ''
  for (let index = 0; index < ids.length; index++) {
    const row = rows[first + index]
    if (row === undefined || row[0] === null) continue
    members += `${members === '' ? '' : ','}"${ids[index]}":{"Id":${row[0]},"Username":${quote(row[1])},"DisplayName":${quote(row[2])},"Rank":${row[3]},"JoinDate":${row[4]},"IsConfirmed":${row[5] === 1},"Banned":${row[6] === 1}}`
  }
  return `{${members}}`
}

const special = /["\\/\x00-\x1f\x80-\uffff]/
const everyNonAscii = /[\x80-\uffff]/g

function quote(value: SQLOutputValue | undefined): string {
  const text = String(value)
  if (!special.test(text)) return `"${text}"`
  return JSON.stringify(text.toWellFormed()).replaceAll('/', '\\/').replace(everyNonAscii, escapeUnit)
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const headers = [
  ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id'],
  ...['X-Content-Type-Options', 'nosniff', 'Content-Type', 'application/json; charset=utf-8'],
  ...['Cache-Control', 'public, max-age=0'],
]

function send(response: ServerResponse, status: number, body: string): void {
  const etag = `"${hash('sha1', body, 'base64url')}"`
  response.writeHead(status, [...headers, 'ETag', etag, 'Content-Length', String(body.length)])
  response.end(body, 'latin1')
}

const canonicalId = /^(?:0|[1-9]\d{0,14})$/

/** @returns null if the request is not a lookup of ids */
function readIds(url: string): readonly string[] | null {
  const values = { Event: '', Users: '' }
  for (const part of url.slice(url.indexOf('?') + 1).split('&')) {
    const equals = part.indexOf('=')
    const name = part.slice(0, equals)
    if (name === 'Event' || name === 'Users') values[name] = part.slice(equals + 1)
  }
  const ids = [...new Set(values.Users.split(':'))]
  const isLookup = values.Event === 'ProfileLookup' && ids.length <= 1000
  return isLookup && ids.every((id) => canonicalId.test(id)) ? ids : null
}

const server = createServer((request, response) => {
  const ids = readIds(request.url ?? '')
  if (ids === null) return send(response, 400, '{"Error":{"Code":"BadRequest","Message":""}}')
  batch.push({ ids, response })
  if (batch.length === 1) setImmediate(answerBatch)
})
server.listen(port, host)
