import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from '../answer.ts'
import type { LookupError } from '../errors.ts'

/** Sends an answer. A HEAD request gets the headers of GET and no body. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { body } = answer
  const headers = [...answer.headers]
  if (answer.etag !== null) {
    headers.push('ETag', answer.etag)
    if (matches(request.headers['if-none-match'], answer.etag)) {
      response.writeHead(304, headers).end()
      return
    }
  }
  headers.push('Content-Length', String(body.length))
  response.writeHead(answer.status, headers)
  if (request.method === 'HEAD') response.end()
  else response.end(body, 'latin1')
}

/** A refusal of a GraphQL request that never reaches GraphQL. */
export function graphqlRefusal({ message, status, extensions }: LookupError): Answer {
  const body = Buffer.from(JSON.stringify({ errors: [{ message, extensions }] }))
  const headers = ['Access-Control-Allow-Origin', '*', 'Content-Type', 'application/json; charset=utf-8']
  return { status, headers: [...headers, 'Connection', 'close'], body, etag: null }
}

/** A refusal outside the legacy interface: always JSON, always with its own status. */
export function refusal({ code, message, status }: LookupError): Answer {
  const body = Buffer.from(JSON.stringify({ Error: { Code: code, Message: message } }))
  const headers = ['Cache-Control', 'no-store', 'Content-Type', 'application/json; charset=utf-8']
  return { status, headers, body, etag: null }
}

// If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have marked the tag it was given as weak.
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const known = ifNoneMatch.split(',').map((tag) => tag.trim())
  return known.some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`)
}
