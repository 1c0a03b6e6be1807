import type { IncomingHttpHeaders, IncomingMessage as Request } from 'node:http'
import type { Socket } from 'node:net'
import { MAX_HEADER_BYTES, MAX_TARGET_BYTES, parseTarget } from './target.ts'

const { IncomingMessage } = process.getBuiltinModule('node:http') // as in server.ts

export interface ParserError extends Error {
  readonly code?: string
  /** The bytes the parser was given last, and how many of them it had read. */
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Bytes of a request line and its headers, and the packets that they may come in. */
const MAX_HEAD_BYTES = 4 * MAX_TARGET_BYTES
const MAX_PACKETS = 256
/** Bytes of heads that have not come to their end, all connections together. */
const MAX_HELD_BYTES = 16 * 1024 * 1024

/** The head of a request, as far as it has come. */
interface Head {
  readonly packets: string[]
  length: number
}

/**
 * A request; or that its headers are still to come, or too long; `null` where it is none that can be read.
 */
export type RawRead = Request | 'incomplete' | 'too long' | null

/**
 * Reads lookups with raw bytes in their target: old clients send usernames as raw UTF-8, which the old web
 * server let through. Node's parser gives up at the first such byte, and hands over the packet it was given
 * and each one after it.
 * @param paths where lookups are answered
 * @returns reads the next packet of a connection
 */
export function createRawReader(paths: readonly string[]): (error: ParserError, socket: Socket) => RawRead {
  const heads = new WeakMap<Socket, Head>()
  let held = 0

  function drop(head: Head): void {
    held -= head.length
    head.length = 0
    head.packets.length = 0
  }

  function headOf(packet: string, bytesParsed: number, socket: Socket): Head | null {
    const known = heads.get(socket)
    if (known !== undefined) return known
    // A packet may begin with other requests, which have been read.
    const line = packet.indexOf('\r\n')
    if (!/^(?:GET|HEAD) /.test(packet) || (line !== -1 && line < bytesParsed)) return null
    const head = { packets: [], length: 0 }
    heads.set(socket, head)
    socket.once('close', drop.bind(undefined, head))
    return head
  }

  return ({ rawPacket, bytesParsed = 0 }, socket) => {
    const packet = rawPacket?.toString('latin1') ?? ''
    const head = headOf(packet, bytesParsed, socket)
    if (head === null) return null
    const before = head.packets.at(-1)?.slice(-3) ?? ''
    head.packets.push(packet)
    head.length += packet.length
    held += packet.length
    // Only here: joining all of it for each packet would take quadratic time.
    const isWhole = `${before}${packet}`.includes('\r\n\r\n')
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

function parseHead(text: string, socket: Socket, paths: readonly string[]): Request | 'too long' | null {
  if (text.length > MAX_HEAD_BYTES) return null
  const line = /^(GET|HEAD) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])\r\n/.exec(text)
  if (line === null) return null
  const [start, method, url = '', minor] = line
  if (!paths.includes(parseTarget(url).pathname)) return null
  const end = text.indexOf('\r\n\r\n', start.length - 2)
  if (end - start.length > MAX_HEADER_BYTES) return 'too long'
  const fields = text.slice(start.length, end)
  // Node's parser refuses it, too; and nobody could pass it on.
  if (unsendable.test(fields)) return null
  const request = new IncomingMessage(socket)
  request.method = method
  request.url = url
  const { headers, rawHeaders } = readHeaders(fields)
  request.headers = headers
  request.rawHeaders = rawHeaders
  // Node's parser refuses it, too.
  if (!/^\d*$/.test(request.headers['content-length'] ?? '')) return null
  request.httpVersionMajor = 1
  request.httpVersionMinor = Number(minor)
  request.complete = true
  request.push(null)
  return request
}

/** Control characters but tabs, and halves of line ends. */
const unsendable = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/

/** Header fields that are read, as Node's server has it; further ones are passed over. */
const MAX_HEADERS = 2000
const fieldName = /^[!#-'*+\-.\w^`|~]+$/

/** As Node's server reads them: several of one name become one. */
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

/**
 * Optional white space around a value (RFC 9110, 5.5): blanks and tabs, of which there may be thousands
 * within it.
 */
function withoutBlanks(line: string, from: number): string {
  const isBlank = (at: number) => line[at] === ' ' || line[at] === '\t'
  let start = from
  let end = line.length
  while (start < end && isBlank(start)) start++
  while (end > start && isBlank(end - 1)) end--
  return line.slice(start, end)
}
