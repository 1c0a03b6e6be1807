// How much memory responses may take until their clients have read them. Admission (overload.ts) ends when a
// response is made; a client that does not read would make the process keep it, and the next one of the same
// connection.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Departure } from '../caller.ts'
import { LookupError } from '../errors.ts'
import { expectsContinue } from './body.ts'
import { createReadingTurns } from './reading-turns.ts'
import { type Arrivals, followArrivals } from './request-timeouts.ts'
import type { Sent } from './respond.ts'
import { createSlowReaders, isUnread, type Reader } from './slow-readers.ts'

/** Bytes of a connection that are not read, above which its further requests wait. */
const MAX_CONNECTION_BYTES = 256 * 1024
/** Requests of one connection that may wait behind a response that has not been read for long. */
const MAX_PIPELINED_REQUESTS = 100
/** Bytes held for all connections, above which requests are refused, and none waits. */
const MAX_BYTES = 32 * 1024 * 1024
/** Bytes that Node takes for a request and its response, besides the target and the headers. */
const REQUEST_BYTES = 6 * 1024
/** Bytes that a response is expected to take at least, and for each character of a list of values. */
const RESPONSE_BYTES = 512
const RESPONSE_BYTES_PER_CHARACTER = 32

/** Made once: an error has a stack to be read. */
const callerLeft = new LookupError('CallerLeft')

interface Connection extends Reader {
  readonly arrivals: Arrivals
  /** When it is closed, and no client waits for answers any more. */
  readonly departure: Departure
  /** Bytes of responses that are not sent, and of those that requests are expected to become. */
  unread: number
  /** Bytes of memory for these, and for the requests that wait, are worked on, or have responses not sent. */
  held: number
  readonly waiting: Waiting[]
}

/** A request, and the bytes that are held for it and for its response. */
export interface Ticket {
  readonly connection: Connection
  /** Bytes of its headers. */
  readonly headerBytes: number
  readonly requestBytes: number
  /** Bytes of a response that the connection has to have room for, and of memory. */
  readonly expected: number
  readonly reserved: number
}

interface Waiting {
  readonly ticket: Ticket
  readonly work: Work
  /** Bytes that have to be free for it. */
  readonly room: number
  /** The response to a client that expects to be told to go on: that waits until earlier ones are sent. */
  readonly inTurn: ServerResponse | null
}

type Work = (ticket: Ticket) => void

export interface Backpressure {
  /** Says that a client has connected. */
  readonly accept: (socket: Socket) => void
  /** Runs a request as soon as its connection has room for a response. */
  readonly run: (request: IncomingMessage, response: ServerResponse, work: Work) => void
  /** Says that the response has been handed to Node. */
  readonly sent: (ticket: Ticket, response: ServerResponse, sent: Sent) => void
  /** Says that there is no response. */
  readonly dropped: (ticket: Ticket) => void
  /** Whether there is no room for a response to any further request. */
  readonly isFull: () => boolean
  /** What has come of a connection; undefined before its first request. */
  readonly arrivalsOf: (socket: Socket) => Arrivals | undefined
}

/** @param onCut called for each connection that is closed because its client does not read */
export function createBackpressure(onCut: () => void): Backpressure {
  const connections = new WeakMap<Socket, Connection>()
  const slowReaders = createSlowReaders(() => total > MAX_BYTES / 2, cut)
  const turns = createReadingTurns(resume)
  let total = 0

  function connectionOf(socket: Socket): Connection {
    let connection = connections.get(socket)
    if (connection === undefined) {
      const arrivals = followArrivals(socket)
      const departure = new Departure(callerLeft)
      connection = { socket, arrivals, departure, unread: 0, held: 0, unsent: [], since: 0, waiting: [] }
      connections.set(socket, connection)
      socket.once('close', forget.bind(undefined, connection))
    }
    return connection
  }

  function hold(connection: Connection, unread: number, bytes: number): void {
    // What is left of a connection that has ended holds nothing.
    if (connection.socket.destroyed) return
    connection.unread += unread
    connection.held += bytes
    total += bytes
  }

  function forget(connection: Connection): void {
    total -= connection.held
    connection.waiting.length = 0
    slowReaders.remove(connection)
    connection.departure.happen()
  }

  function fits({ unread }: Connection, expected: number): boolean {
    return unread === 0 || unread + expected <= MAX_CONNECTION_BYTES
  }

  function start({ ticket, work, inTurn }: Waiting): void {
    hold(ticket.connection, ticket.expected, ticket.reserved)
    inTurn?.writeContinue()
    work(ticket)
  }

  function release({ connection, requestBytes }: Ticket, unread: number, bytes: number): void {
    hold(connection, -unread, -bytes - requestBytes)
    if (connection.held === 0) connection.arrivals.latest = null
    advance(connection)
  }

  /** Starts what may start by now of the requests that wait: the first of them first. */
  function advance(connection: Connection): void {
    const { waiting, socket } = connection
    if (socket.destroyed) return
    for (let [next] = waiting; next !== undefined && mayStart(connection, next); [next] = waiting) {
      waiting.shift()
      resume(socket)
      start(next)
    }
  }

  function mayStart(connection: Connection, { inTurn, room }: Waiting): boolean {
    return inTurn === null ? fits(connection, room) : inTurn.socket !== null
  }

  /** Reads on, unless requests wait or the connection has had its turn. */
  function resume(socket: Socket): void {
    const waiting = connections.get(socket)?.waiting.length ?? 0
    if (waiting === 0 && !turns.isOver(socket)) socket.resume()
  }

  function wait(connection: Connection, next: Waiting): void {
    const { socket, waiting } = connection
    const isFull = total > MAX_BYTES
    if (isFull || (waiting.length >= MAX_PIPELINED_REQUESTS && isUnread(connection))) {
      cut(socket)
      if (isFull) turns.endAll()
      return
    }
    waiting.push(next)
    // What has come in this packet waits, and no more comes. Not at once: Node resumes after each request.
    process.nextTick(pause, connection)
  }

  function pause({ waiting, socket }: Connection): void {
    if (waiting.length > 0) socket.pause()
  }

  function sent(ticket: Ticket, response: ServerResponse, { size, held }: Sent): void {
    const { connection, expected, reserved } = ticket
    const { socket } = connection
    // Nearly all are with the system at once, where they take none of our memory. Some clients have left.
    const isDone = response.writableFinished || (response.socket !== null && socket.writableLength === 0)
    if (isDone || socket.destroyed) {
      release(ticket, expected, reserved)
      return
    }
    hold(connection, held - expected, held - reserved)
    slowReaders.add(connection, size)
    response.once('close', () => {
      slowReaders.sent(connection)
      release(ticket, held, held)
    })
  }

  function cut(socket: Socket): void {
    onCut()
    socket.destroy()
  }

  function run(request: IncomingMessage, response: ServerResponse, work: Work): void {
    const { socket, url = '', headers, rawHeaders } = request
    // Requests of a packet come one after the other, whatever has become of the connection.
    if (socket.destroyed) return
    const connection = connectionOf(socket)
    connection.arrivals.count++
    connection.arrivals.latest = request
    turns.count(socket)
    const bodyBytes = Number(headers['content-length'] ?? 0)
    const headerBytes = lengthOf(rawHeaders)
    const requestBytes = REQUEST_BYTES + url.length + headerBytes
    const expected = expectedOf(url.length + bodyBytes)
    // A body may never come: its response takes memory when there is one.
    const reserved = expectedOf(url.length)
    // The length of a body in chunks is unknown: no two of a connection are worked on at once.
    const room = headers['transfer-encoding'] === undefined ? expected : MAX_CONNECTION_BYTES
    const inTurn = expectsContinue(request) ? response : null
    const next = { ticket: { connection, headerBytes, requestBytes, expected, reserved }, work, room, inTurn }
    hold(connection, 0, requestBytes)
    if (connection.waiting.length === 0 && mayStart(connection, next)) {
      start(next)
      return
    }
    wait(connection, next)
    inTurn?.once('socket', () => setImmediate(advance, connection))
  }

  return {
    accept: turns.accept,
    run,
    sent,
    dropped: (ticket) => release(ticket, ticket.expected, ticket.reserved),
    isFull: () => total > MAX_BYTES,
    arrivalsOf: (socket) => connections.get(socket)?.arrivals,
  }
}

/** Bytes that the response to a request of so many characters is expected to take. */
function expectedOf(characters: number): number {
  const bytes = Math.max(RESPONSE_BYTES, RESPONSE_BYTES_PER_CHARACTER * characters)
  return Math.min(bytes, MAX_CONNECTION_BYTES)
}

function lengthOf(texts: readonly string[]): number {
  let length = 0
  for (const text of texts) length += text.length
  return length
}
