import type { IncomingHttpHeaders, IncomingMessage as Request } from 'node:http'
import type { Socket } from 'node:net'
import { parseTarget } from './target.ts'

const { IncomingMessage } = process.getBuiltinModule('node:http') // as in server.ts

export interface ParserError extends Error {
  readonly code?: string
  /** The bytes the parser was given last, and how many of them it had read. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/**
 * Reads a lookup with raw bytes in its target, from the packet that Node's parser gave up on: old clients send usernames
 * as raw UTF-8, which the old web server let through.
 * @returns `null` for anything else, and where the packet begins with another request
 */
export function readRaw({ rawPacket, bytesParsed = 0 }: ParserError, socket: Socket): Request | null {
  const packet = rawPacket?.toString('latin1') ?? ''
  const line = /^(GET|HEAD) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])\r\n/.exec(packet)
  if (line === null || bytesParsed >= line[0].length) return null
  const [start, method, url = '', minor] = line
  if (parseTarget(url).pathname !== '/') return null
  const end = packet.indexOf('\r\n\r\n', start.length - 2)
  const request = new IncomingMessage(socket)
  request.method = method
  request.url = url
  request.headers = readHeaders(packet.slice(start.length, end === -1 ? undefined : end))
  request.httpVersionMajor = 1
  // Where the headers come later, nobody waits for them: as in HTTP/1.0, which needs none.
  request.httpVersionMinor = end === -1 ? 0 : Number(minor)
  request.complete = true
  request.push(null)
  return request
}

/** As Node's server reads them: several of one name become one. */
function readHeaders(lines: string): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = Object.create(null)
  for (const line of lines.split('\r\n')) {
    const [, name = '', value = ''] = /^([!#-'*+\-.\w^`|~]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    const key = name.toLowerCase()
    if (key === '') continue
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return headers
}
