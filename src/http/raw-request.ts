// Reads lookups with raw UTF-8 in their target. The old web server accepted such usernames, and Node's parser
// does not.

import type { IncomingHttpHeaders, IncomingMessage as Request } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES, parseTarget } from './target.ts'

const { IncomingMessage } = process.getBuiltinModule('node:http') // as in server.ts

export interface ParserError extends Error {
  readonly code?: string
  /** The last packet of the parser, and how many bytes of the packet it had read. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Limits of a head: the request line and the headers. */
const MAX_HEAD_BYTES = 4 * MAX_TARGET_BYTES
const MAX_PACKETS = 256
/** Bytes of all heads that are still incomplete. */
const MAX_HELD_BYTES = 16 * 1024 * 1024

/** An incomplete head. */
interface RequestHead {
  readonly packets: string[]
  length: number
  /** The last 3 characters: the blank line may come in four packets. */
  tail: string
}

/** `null`: the bytes are no request that the gateway can read. */
type RequestRead = Request | 'incomplete' | 'too long' | null

/**
 * Creates a reader of packets. Node's parser stops at the first raw byte, and emits an error with the packet,
 * and one more error for each later packet of the connection.
 * @param paths of lookups
 */
export function createRawReader(
  paths: readonly string[],
): (error: ParserError, socket: Socket) => RequestRead {
  const heads = new WeakMap<Socket, RequestHead>()
  let held = 0

  function drop(head: RequestHead): void {
    held -= head.length
    head.length = 0
    head.packets.length = 0
  }

  function startHead(packet: string, bytesParsed: number, socket: Socket): RequestHead | null {
    const line = packet.indexOf('\r\n')
    if (!/^(?:GET|HEAD) /.test(packet) || (line !== -1 && line < bytesParsed)) return null
    const head = { packets: [], length: 0, tail: '' }
    heads.set(socket, head)
    socket.once('close', drop.bind(undefined, head))
    return head
  }

  return ({ rawPacket, bytesParsed = 0 }, socket) => {
    const known = heads.get(socket)
    const bytes = rawPacket?.toString('latin1') ?? ''
    // The packet may begin with requests that the parser has read.
    const start = known === undefined ? endOfHead(bytes, bytesParsed) : 0
    const packet = bytes.slice(start)
    const head = known ?? startHead(packet, bytesParsed - start, socket)
    if (head === null) return null
    head.packets.push(packet)
    head.length += packet.length
    held += packet.length
    // Joining all packets each time would take quadratic time.
    const end = head.tail + packet
    const isWhole = end.includes('\r\n\r\n')
    head.tail = end.slice(-3)
    if (
      !isWhole &&
      held <= MAX_HELD_BYTES &&
      head.length <= MAX_HEAD_BYTES &&
      head.packets.length <= MAX_PACKETS
    )
      return 'incomplete'
    const text = isWhole ? head.packets.join('') : ''
    drop(head)
    return isWhole ? parseHead(text, socket, paths) : 'too long'
  }
}

/** @returns where the last head before a position ends */
function endOfHead(text: string, position: number): number {
  const blankLine = text.slice(0, position).lastIndexOf('\r\n\r\n')
  return blankLine === -1 ? 0 : blankLine + 4
}

function parseHead(text: string, socket: Socket, paths: readonly string[]): Request | 'too long' | null {
  if (text.length > MAX_HEAD_BYTES) return null
  const line = /^(GET|HEAD) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])\r\n/.exec(text)
  if (line === null) return null
  const [start, method, url = '', minor] = line
  if (!paths.includes(parseTarget(url).pathname)) return null
  const end = text.indexOf('\r\n\r\n', start.length - 2)
  if (end - start.length > MAX_HEADER_BYTES) return 'too long'
  const fields = text.slice(start.length, end)
  // Node's parser refuses such headers, too, and a cutover could not pass them on.
  if (unsendable.test(fields)) return null
  const request = new IncomingMessage(socket)
  request.method = method
  request.url = url
  const { headers, rawHeaders } = readHeaders(fields)
  request.headers = headers
  request.rawHeaders = rawHeaders
  // Node's parser refuses such a length, too.
  if (!/^\d*$/.test(request.headers['content-length'] ?? '')) return null
  request.httpVersionMajor = 1
  request.httpVersionMinor = Number(minor)
  request.complete = true
  request.push(null)
  return request
}

/** Control characters other than tabs, and a CR or LF on its own. */
const unsendable = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/

/** Node's server ignores further header fields, too. */
const MAX_HEADERS = 2000
const fieldName = /^[!#-'*+\-.\w^`|~]+$/

/** Joins fields of the same name, as Node does with `joinDuplicateHeaders`. */
function readHeaders(lines: string): { headers: IncomingHttpHeaders; rawHeaders: string[] } {
  const headers: IncomingHttpHeaders = Object.create(null)
  const rawHeaders: string[] = []
  for (const line of lines.split('\r\n', MAX_HEADERS)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    if (!fieldName.test(name)) continue
    const key = name.toLowerCase()
    const value = withoutBlanks(line, colon + 1)
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
    rawHeaders.push(name, value)
  }
  return { headers, rawHeaders }
}

/** Trims spaces and tabs (RFC 9110, 5.5). A regex would take quadratic time on many spaces within a value. */
function withoutBlanks(line: string, from: number): string {
  const isBlank = (at: number) => line[at] === ' ' || line[at] === '\t'
  let start = from
  let end = line.length
  while (start < end && isBlank(start)) start++
  while (end > start && isBlank(end - 1)) end--
  return line.slice(start, end)
}
