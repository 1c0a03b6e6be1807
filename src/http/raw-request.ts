// Reads lookups with raw UTF-8 in their target. The old web server accepted such usernames, and Node's parser
// does not.

import type { IncomingHttpHeaders, IncomingMessage as Request } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES, parseTarget } from './target.ts'

const { IncomingMessage } = process.getBuiltinModule('node:http') // no import, see server.ts

export interface ParserError extends Error {
  readonly code?: string
  /** The last packet of the parser, and how many bytes of the packet it had read. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

const BLANK_LINE = '\r\n\r\n'
/** Limits of a head: the request line and the headers. Each packet is searched with those before it. */
const MAX_HEAD_BYTES = 4 * MAX_TARGET_BYTES
const MAX_PACKETS = 256
/** Bytes of all heads that are still incomplete. */
const MAX_HELD_BYTES = 16 * 1024 * 1024

/** An incomplete head. */
interface RequestHead {
  text: string
  packets: number
}

/** `null` if the bytes are no request that the gateway can read. */
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
    held -= head.text.length
    head.text = ''
  }

  /** Finds the request that Node's parser refused: the packet may begin with requests that it has read. */
  function startHead(packet: string, bytesParsed: number, socket: Socket): RequestHead | null {
    const before = packet.slice(0, bytesParsed).lastIndexOf(BLANK_LINE)
    const text = packet.slice(before === -1 ? 0 : before + BLANK_LINE.length)
    const line = text.indexOf('\r\n')
    const isInLine = line === -1 || line >= bytesParsed - (packet.length - text.length)
    if (!/^(?:GET|HEAD) /.test(text) || !isInLine) return null
    const head = { text, packets: 0 }
    held += text.length
    heads.set(socket, head)
    socket.once('close', () => drop(head))
    return head
  }

  return ({ rawPacket, bytesParsed = 0 }, socket) => {
    const packet = rawPacket?.toString('latin1') ?? ''
    const known = heads.get(socket)
    const head = known ?? startHead(packet, bytesParsed, socket)
    if (head === null) return null
    if (known !== undefined) {
      known.text += packet
      held += packet.length
    }
    head.packets++
    const { text, packets } = head
    if (!text.includes(BLANK_LINE)) {
      if (held <= MAX_HELD_BYTES && text.length <= MAX_HEAD_BYTES && packets <= MAX_PACKETS)
        return 'incomplete'
      drop(head)
      return 'too long'
    }
    drop(head)
    return parseHead(text, socket, paths)
  }
}

function parseHead(text: string, socket: Socket, paths: readonly string[]): Request | 'too long' | null {
  const [start, method, url = '', minor] =
    /^(GET|HEAD) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])\r\n/.exec(text) ?? []
  if (start === undefined || !paths.includes(parseTarget(url).pathname)) return null
  const fields = text.slice(start.length, text.indexOf(BLANK_LINE, start.length - 2))
  if (fields.length > MAX_HEADER_BYTES) return 'too long'
  const read = readHeaders(fields)
  if (read === null) return null
  const request = new IncomingMessage(socket)
  request.push(null)
  return Object.assign(request, read, {
    method,
    url,
    httpVersionMajor: 1,
    httpVersionMinor: Number(minor),
    complete: true,
  })
}

/** Node's server ignores further header fields, too. */
const MAX_HEADERS = 2000
/** Node's parser refuses other names and values, too, and a cutover could not pass them on. */
const fieldName = /^[!#-'*+\-.\w^`|~]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Joins fields of the same name, as Node does with `joinDuplicateHeaders`. */
function readHeaders(lines: string): { headers: IncomingHttpHeaders; rawHeaders: string[] } | null {
  const headers: IncomingHttpHeaders = Object.create(null)
  const rawHeaders: string[] = []
  for (const line of lines === '' ? [] : lines.split('\r\n', MAX_HEADERS)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon))
    const value = withoutBlanks(line, colon + 1)
    if (!fieldName.test(name) || !fieldValue.test(value)) return null
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
    rawHeaders.push(name, value)
  }
  // Node's parser refuses such a length, too.
  return /^\d*$/.test(headers['content-length'] ?? '') ? { headers, rawHeaders } : null
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
