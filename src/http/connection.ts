// A connection carries one request at a time; further ones wait. There are two ways of reading:
// - usually, Node's parser reads the socket itself, which takes 10 % less time than a stream;
// - for a minute after a client has pipelined, and while the server closes, bytes are sliced: the parser gets
//   those of one request at a time. A packet of 64 KiB may contain thousands of requests, and the parser
//   would make all of them at once while other connections wait.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LookupError } from '../errors.ts'
import { expectsContinue } from './body.ts'
import { Exchange } from './exchange.ts'
import type { Holder, Memory } from './memory.ts'

/** Requests that may wait on a connection. If a client sends more, the bytes of all clients are sliced. */
const MAX_WAITING = 16
/** Milliseconds for which the bytes of new connections are sliced then. */
const SLICING_MS = 60_000
/**
 * Slices of a connection's bytes that are parsed in a turn of the event loop. A head or a body is a slice.
 */
const MAX_SLICES = 4
/** The share of a body so far that is parsed at once: a body of blank lines comes in some hundred slices. */
const BODY_SHARE = 1 / 16
/** Bytes of requests that wait, all connections together. A connection that brings more is cut. */
const MAX_UNPARSED_BYTES = 16 * 1024 * 1024
const BLANK_LINE = '\r\n\r\n'
/**
 * A client that has closed its side may wait for 100 ms; most such clients have left. Each check needs a turn
 * of the event loop, so that a pause of this process does not count as time.
 */
const HALF_CLOSED_CHECKS = 4
const HALF_CLOSED_PAUSE_MS = 25

export interface Connections {
  /** Takes a connection before its first request. */
  readonly accept: (socket: Socket) => void
  /** Takes a request when its headers have come. */
  readonly arrive: RequestListener
  /**
   * Acts on an error of Node's parser after the responses to the earlier requests. A timeout that expires
   * while they are in flight starts again.
   */
  readonly afterRequests: (socket: Socket, isTimeout: boolean, act: () => void) => void
  /** From now on, each response closes its connection. */
  readonly closeAfterResponses: () => void
  readonly sockets: () => Iterable<Socket>
  /** Connections accepted so far. */
  readonly count: () => number
}

interface Options {
  readonly handle: (exchange: Exchange) => void
  readonly memory: Memory
  /** Milliseconds that a client has to send a request. */
  readonly requestTimeout: number
}

interface Connection extends Holder {
  readonly leaving: AbortController
  readonly waiting: Exchange[]
  /** The request that is in flight. */
  current: Exchange | null
  /** Requests whose headers have come, and the last one. */
  requests: number
  latest: IncomingMessage | null
  /** Passes bytes to Node's parser. `null` if the parser reads the socket itself. */
  parse: ((bytes: Buffer) => void) | null
  /**
   * Received bytes that wait for the response to an earlier request. The socket is paused while there are
   * any.
   */
  unparsed: Buffer | null
  /** Whether bytes are parsed in the next turn of the event loop. */
  isDue: boolean
  /** Bytes of the body of the latest request. */
  bodyBytes: number
  /** Errors of the parser that wait for responses. */
  readonly errors: (() => void)[]
  /** The timeout of an incomplete request that waits for responses. */
  overdue: (() => void) | null
}

/** Made once: an error has a stack. */
const callerLeft = new LookupError('CallerLeft')

export function createConnections({ handle, memory, requestTimeout }: Options): Connections {
  const connections = new Map<Socket, Connection>()
  let accepted = 0
  let unparsedBytes = 0
  let isClosing = false
  /** Until when bytes are sliced, by performance.now(). */
  let slicingUntil = 0

  function accept(socket: Socket): void {
    accepted++
    const connection: Connection = {
      socket,
      held: 0,
      progressAt: 0,
      leaving: new AbortController(),
      waiting: [],
      current: null,
      requests: 0,
      latest: null,
      parse: null,
      unparsed: null,
      isDue: false,
      bodyBytes: 0,
      errors: [],
      overdue: null,
    }
    connections.set(socket, connection)
    // Before Node's own listener, which closes the connection after the requests that it has parsed.
    socket.prependOnceListener('end', () => {
      const { unparsed } = connection
      keep(connection, null)
      if (unparsed !== null) connection.parse?.(unparsed)
      watchHalfClosed(connection)
    })
    if (performance.now() < slicingUntil) slice(connection)
    // Node resumes after each request and each response.
    socket.on('resume', () => {
      if (connection.unparsed !== null || connection.errors.length > 0) socket.pause()
    })
    socket.once('close', () => {
      connections.delete(socket)
      connection.waiting.length = 0
      keep(connection, null)
      memory.forget(connection)
      connection.leaving.abort(callerLeft)
    })
  }

  /** Replaces Node's own listener, the only one so far, which would parse all bytes of a packet. */
  function slice(connection: Connection): void {
    const { socket } = connection
    if (connection.parse !== null) return
    const [parse] = socket.listeners('data')
    if (parse === undefined) return
    connection.parse = parse as (bytes: Buffer) => void
    // From the first listener that is added, Node's parser no longer reads the socket itself.
    socket.on('data', (bytes: Buffer) => receive(connection, bytes))
    socket.off('data', connection.parse)
    // While the parser read the socket, it may have stopped it, and the stream does not know: an empty chunk
    // makes the stream start it again.
    socket.push('')
  }

  function receive(connection: Connection, bytes: Buffer): void {
    const { socket } = connection
    // Unread bytes would reset the connection and lose the last response.
    if (!socket.writable) return
    if (connection.unparsed !== null) {
      socket.pause()
      socket.unshift(bytes)
      return
    }
    keep(connection, bytes)
    parseSlices(connection)
    if (connection.unparsed !== null && unparsedBytes > MAX_UNPARSED_BYTES) memory.cut(connection)
  }

  /** Starts the next request, which may have to be parsed: up to the end of its head, or of its body. */
  function parseSlices(connection: Connection): void {
    startNext(connection)
    for (let slices = 0; slices < MAX_SLICES; slices++) {
      const { socket, latest, unparsed, bodyBytes } = connection
      if (unparsed === null || isAnswering(connection) || !socket.writable) break
      const least = latest?.complete === false ? BODY_SHARE * bodyBytes : 0
      const blankLine = unparsed.indexOf(BLANK_LINE, least)
      const end = blankLine === -1 ? unparsed.length : blankLine + BLANK_LINE.length
      keep(connection, end < unparsed.length ? unparsed.subarray(end) : null)
      connection.bodyBytes += end
      connection.parse?.(unparsed.subarray(0, end))
    }
    proceed(connection)
  }

  function keep(connection: Connection, unparsed: Buffer | null): void {
    unparsedBytes += (unparsed?.length ?? 0) - (connection.unparsed?.length ?? 0)
    connection.unparsed = unparsed
  }

  /** Whether the request in flight has come to its end. */
  function isAnswering({ current }: Connection): boolean {
    return current?.request.complete === true
  }

  /** Starts another request in the next turn, so that other connections have theirs, or reads on. */
  function proceed(connection: Connection): void {
    const { socket, latest, isDue } = connection
    if (!socket.writable) keep(connection, null)
    if (isLast(connection)) {
      // Node itself pauses while a body is not read, and resumes then.
      const isBehind = latest !== null && latest.readableLength >= latest.readableHighWaterMark
      if (socket.isPaused() && !isBehind) socket.resume()
      return
    }
    socket.pause()
    if (isDue || isAnswering(connection)) return
    connection.isDue = true
    setImmediate(() => {
      connection.isDue = false
      parseSlices(connection)
    })
  }

  function arrive(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket)
    // Requests of a packet come one after the other, whatever has become of the connection.
    if (connection === undefined || request.socket.destroyed) return
    const exchange = new Exchange(request, response, connection, memory, connection.leaving.signal)
    connection.requests++
    connection.latest = request
    connection.bodyBytes = 0
    memory.hold(connection, exchange.bytes)
    connection.waiting.push(exchange)
    if (connection.waiting.length === 1) startNext(connection)
    if (connection.waiting.length > MAX_WAITING && connection.parse === null)
      startSlicing(performance.now() + SLICING_MS)
  }

  function startSlicing(until: number): void {
    slicingUntil = Math.max(slicingUntil, until)
    for (const connection of connections.values()) slice(connection)
  }

  function startNext(connection: Connection): void {
    const exchange = connection.current === null ? connection.waiting.shift() : undefined
    if (exchange === undefined) return
    const { request, response } = exchange
    connection.current = exchange
    if (isClosing && isLast(connection)) response.shouldKeepAlive = false
    // Node's automatic 100 could land inside of an earlier response.
    if (expectsContinue(request)) response.writeContinue()
    response.on('close', () => finish(connection, exchange))
    handle(exchange)
  }

  function finish(connection: Connection, exchange: Exchange): void {
    const { socket } = connection
    exchange.onEnd?.()
    connection.current = null
    if (socket.destroyed) return
    memory.endResponse(connection)
    memory.hold(connection, -exchange.bytes)
    if (connection.errors.length > 0 && !owesResponse(connection))
      for (const act of connection.errors.splice(0)) act()
    else {
      if (connection.parse === null) startNext(connection)
      if (connection.overdue !== null && !owesResponse(connection)) {
        startTimeout(connection, connection.overdue)
        connection.overdue = null
      }
    }
    proceed(connection)
  }

  /**
   * Whether a response comes before whatever else is sent: of a request without its body, one that has begun.
   */
  function owesResponse({ current, waiting }: Connection): boolean {
    if (current === null) return waiting[0]?.request.complete === true
    return current.request.complete || current.response.headersSent
  }

  /** Whether nothing of another request has come. */
  function isLast({ waiting, unparsed }: Connection): boolean {
    return waiting.length === 0 && unparsed === null
  }

  function afterRequests(socket: Socket, isTimeout: boolean, act: () => void): void {
    const connection = connections.get(socket)
    if (connection === undefined || !owesResponse(connection)) act()
    else if (isTimeout) connection.overdue = act
    else {
      connection.errors.push(act)
      // Each packet that follows would be one more error, and be kept.
      socket.pause()
    }
  }

  /** Acts on a request that does not come to its end. */
  function startTimeout(connection: Connection, act: () => void): void {
    const { socket, requests, latest } = connection
    const isHead = latest?.complete !== false
    const late = () => {
      const isSameHead = isHead && connection.requests === requests
      const isBody =
        connection.requests === requests + (isHead ? 1 : 0) && connection.latest?.complete === false
      if (!socket.destroyed && (isSameHead || isBody)) act()
    }
    setTimeout(late, requestTimeout).unref()
  }

  /** Closes the connection if no response begins for a while. @param checks that found none so far */
  function watchHalfClosed(connection: Connection, checks = 0): void {
    const { socket, current } = connection
    const check = () => {
      if (socket.destroyed) return
      const isSilent = current !== null && connection.current === current && !current.response.headersSent
      if (isSilent && checks + 1 === HALF_CLOSED_CHECKS) socket.destroy()
      else watchHalfClosed(connection, isSilent ? checks + 1 : 0)
    }
    setTimeout(check, HALF_CLOSED_PAUSE_MS).unref()
  }

  function closeAfterResponses(): void {
    isClosing = true
    // Of a packet that is parsed whole, the first request would seem to be the last one.
    startSlicing(Number.POSITIVE_INFINITY)
    for (const connection of connections.values())
      if (connection.current !== null && isLast(connection))
        connection.current.response.shouldKeepAlive = false
  }

  return {
    ...{ accept, arrive, afterRequests, closeAfterResponses },
    sockets: () => connections.keys(),
    count: () => accepted,
  }
}
