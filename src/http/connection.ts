// A connection carries one request at a time: requests that a client sends behind it wait for its response.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LookupError } from '../errors.ts'
import { expectsContinue } from './body.ts'
import type { Holder, Memory } from './memory.ts'

/** Bytes that Node takes for a request and its response, besides the target and the headers. */
const REQUEST_BYTES = 6 * 1024
/** Requests of a connection that may wait if memory is short. A packet may bring two thousand. */
const MAX_WAITING = 128
/** Bytes that are written at once: a client that has taken them makes progress. */
const PIECE_BYTES = 64 * 1024
/** Milliseconds that a client may wait for a response after it has closed its side; most such clients have left. */
const HALF_CLOSED_MS = 100

/** A request and its response, on their connection. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes of the headers. */
  readonly headerBytes: number
  readonly #connection: Connection
  readonly #memory: Memory
  /** Called when the last byte of the response is with the system, or the client has left. */
  onEnd: (() => void) | null = null

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, memory: Memory) {
    this.request = request
    this.response = response
    this.#connection = connection
    this.#memory = memory
    let headerBytes = 0
    for (const text of request.rawHeaders) headerBytes += text.length
    this.headerBytes = headerBytes
  }

  /** Bytes of memory that the request takes. */
  get bytes(): number {
    return REQUEST_BYTES + (this.request.url ?? '').length + this.headerBytes
  }

  /** Aborted with LookupError `CallerLeft` when the connection is closed. */
  get signal(): AbortSignal {
    return this.#connection.leaving.signal
  }

  /** Whether there is memory for a response of so many bytes. */
  hasRoom(bytes: number): boolean {
    return this.#memory.hasRoom(this.#connection, bytes)
  }

  /** Sends the body of the response after its head. A Buffer is kept by others, and takes no memory. */
  end(body: string | Buffer): void {
    const held = typeof body === 'string' ? body.length : Math.min(body.length, PIECE_BYTES)
    if (body.length > PIECE_BYTES) {
      this.#memory.holdResponse(this.#connection, held)
      this.#writePieces(body, 0)
      return
    }
    this.response.end(body, 'latin1')
    // Nearly always, the system has all bytes at once.
    if (this.#connection.socket.writableLength > 0) this.#memory.holdResponse(this.#connection, held)
  }

  #writePieces(body: string | Buffer, at: number): void {
    const next = at + PIECE_BYTES
    const piece = typeof body === 'string' ? body.slice(at, next) : body.subarray(at, next)
    if (next >= body.length) {
      this.response.end(piece, 'latin1')
      return
    }
    this.response.write(piece, 'latin1', (error) => {
      if (error) return
      this.#memory.take(this.#connection, typeof body === 'string' ? PIECE_BYTES : 0)
      this.#writePieces(body, next)
    })
  }
}

export interface Connections {
  /** Takes a connection before its first request. */
  readonly accept: (socket: Socket) => void
  /** Takes a request when its headers have come. */
  readonly arrive: RequestListener
  /**
   * Acts on an error of Node's parser after the responses to the requests before. A timeout that ran while these
   * were in flight begins anew.
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
  /** Requests whose headers have come. */
  requests: number
  isPaused: boolean
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
  let isClosing = false
  let areAllPaused = false

  function accept(socket: Socket): void {
    accepted++
    const connection: Connection = {
      ...{ socket, held: 0, progressAt: 0 },
      ...{ leaving: new AbortController(), waiting: [], current: null, requests: 0, isPaused: false },
      ...{ errors: [], overdue: null },
    }
    connections.set(socket, connection)
    socket.once('end', () => watchHalfClosed(connection))
    socket.once('close', () => {
      connections.delete(socket)
      connection.waiting.length = 0
      memory.forget(connection)
      connection.leaving.abort(callerLeft)
    })
  }

  function arrive(request: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(request.socket)
    // Requests of a packet come one after the other, whatever has become of the connection.
    if (connection === undefined || request.socket.destroyed) return
    const exchange = new Exchange(request, response, connection, memory)
    connection.requests++
    memory.hold(connection, exchange.bytes)
    if (connection.current === null) {
      start(connection, exchange)
      return
    }
    connection.waiting.push(exchange)
    if (memory.isExhausted() || (memory.isShort() && connection.waiting.length > MAX_WAITING)) {
      memory.cut(connection)
      pauseAll()
    } else pauseSoon(connection)
  }

  function start(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange
    connection.current = exchange
    if (isClosing && connection.waiting.length === 0) response.shouldKeepAlive = false
    // Node's automatic 100 could land inside of an earlier response.
    if (expectsContinue(request)) response.writeContinue()
    response.on('close', () => finish(connection, exchange))
    handle(exchange)
  }

  function finish(connection: Connection, exchange: Exchange): void {
    const { socket, waiting } = connection
    exchange.onEnd?.()
    connection.current = null
    if (socket.destroyed) return
    memory.endResponse(connection)
    memory.hold(connection, -exchange.bytes)
    if (connection.errors.length > 0 && waiting[0]?.request.complete !== true) {
      resume(connection)
      for (const act of connection.errors.splice(0)) act()
      return
    }
    const next = waiting.shift()
    if (next !== undefined) {
      // Node resumes after each response.
      if (waiting.length > 0) pauseSoon(connection)
      else resume(connection)
      start(connection, next)
      return
    }
    resume(connection)
    if (connection.overdue !== null) startTimeout(connection, connection.overdue)
    connection.overdue = null
  }

  /** Not at once: Node resumes after each request. */
  function pauseSoon(connection: Connection): void {
    connection.isPaused = true
    process.nextTick(pause, connection)
  }

  function pause({ socket, isPaused }: Connection): void {
    if (isPaused) socket.pause()
  }

  function resume(connection: Connection): void {
    if (!connection.isPaused) return
    connection.isPaused = false
    if (!areAllPaused) connection.socket.resume()
  }

  /**
   * Reads no connection until what was cut is given back. Node keeps the requests of a packet, two thousand perhaps,
   * until the turn of the event loop is over: a hundred connections that are cut in one turn would take a hundred times
   * as much.
   */
  function pauseAll(): void {
    if (areAllPaused) return
    areAllPaused = true
    for (const socket of connections.keys()) socket.pause()
    setImmediate(() => {
      areAllPaused = false
      for (const { socket, isPaused } of connections.values()) if (!isPaused) socket.resume()
    })
  }

  function afterRequests(socket: Socket, isTimeout: boolean, act: () => void): void {
    const connection = connections.get(socket)
    // Without its body, the request in flight is the one that cannot be read.
    if (connection?.current?.request.complete !== true) {
      act()
    } else if (isTimeout) connection.overdue = act
    else {
      connection.errors.push(act)
      pauseSoon(connection)
    }
  }

  /** Acts on a request that does not come to its end. */
  function startTimeout(connection: Connection, act: () => void): void {
    const { socket, requests } = connection
    const late = () => {
      const { current } = connection
      const isSame = connection.requests === requests && current === null
      const isBody = connection.requests === requests + 1 && current?.request.complete === false
      if (!socket.destroyed && (isSame || isBody)) act()
    }
    setTimeout(late, requestTimeout).unref()
  }

  /** Closes the connection if no response begins for a while. */
  function watchHalfClosed(connection: Connection): void {
    const { socket, current } = connection
    const late = () => {
      if (socket.destroyed) return
      if (current !== null && connection.current === current && !current.response.headersSent)
        socket.destroy()
      else watchHalfClosed(connection)
    }
    setTimeout(late, HALF_CLOSED_MS).unref()
  }

  function closeAfterResponses(): void {
    isClosing = true
    for (const { current, waiting } of connections.values())
      if (current !== null && waiting.length === 0) current.response.shouldKeepAlive = false
  }

  return {
    ...{ accept, arrive, afterRequests, closeAfterResponses },
    sockets: () => connections.keys(),
    count: () => accepted,
  }
}
