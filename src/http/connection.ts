// The connections of a listener. Each connection handles one request at a time, in order; pipelined requests
// wait. The steps of a request: Node parses its headers, `arrive` queues it, `#startNext` passes it to
// handler.ts, `#finish` runs when its response has ended, and `#proceed` starts the next request.
//
// A connection is read in one of two ways:
//
// - Usually, Node's parser reads the socket itself, which takes 10 % less time than a stream.
// - Sliced, for a minute after a client has pipelined more than 16 requests, and while the server closes:
//   `#receive` gets the bytes, and `#parseSlices` passes the bytes of one request at a time to the parser.
//   Otherwise a packet of 64 KiB would become thousands of requests at once, while other connections wait.
//
// A fault here loses responses, or gives a client the response to another request. Its tests are in
// test/http, above all pipelining.test.ts and slow-clients.test.ts.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LookupError } from '../errors.ts'
import { expectsContinue } from './body.ts'
import { Exchange } from './exchange.ts'
import type { Holder, Memory } from './memory.ts'

/** Requests that may wait on a connection. If a client sends more, the bytes of all clients are sliced. */
const MAX_WAITING = 16
const SLICING_MS = 60_000
/** Slices that a connection parses in a turn of the event loop. The headers or the body are a slice. */
const MAX_SLICES = 4
/**
 * A slice of a body is at least this share of its bytes so far. Otherwise a body of blank lines would become
 * thousands of slices; now it becomes some hundred.
 */
const BODY_SHARE = 1 / 16
/** Unparsed bytes of all connections together. The connection that exceeds the limit is cut. */
const MAX_UNPARSED_BYTES = 16 * 1024 * 1024
const BLANK_LINE = '\r\n\r\n'
/**
 * Milliseconds until a response has to begin if the client has closed its side: most such clients have left.
 */
const HALF_CLOSED_MS = 100

export interface ClientConnections {
  /** Takes a connection before its first request. */
  readonly accept: (socket: Socket) => void
  /** Takes a request after its headers. */
  readonly arrive: RequestListener
  /** Calls `act` for an error of Node's parser, after the responses to the earlier requests. */
  readonly afterRequests: (socket: Socket, isTimeout: boolean, act: () => void) => void
  /** From now on, each response closes its connection. */
  readonly closeAfterResponses: () => void
  readonly sockets: () => Iterable<Socket>
  /** Connections accepted so far. */
  readonly count: () => number
}

interface ClientConnectionOptions {
  readonly handle: (exchange: Exchange) => void
  readonly memory: Memory
  /** Milliseconds that a client has to send a request. */
  readonly requestTimeout: number
}

/** The state that all connections of a listener share. */
interface ListenerState extends ClientConnectionOptions {
  unparsedBytes: number
  isClosing: boolean
  /** @param until a time by performance.now() */
  readonly startSlicing: (until: number) => void
}

export function createConnections(options: ClientConnectionOptions): ClientConnections {
  const connections = new Map<Socket, ClientConnection>()
  let accepted = 0
  let slicingUntil = 0
  const shared: ListenerState = { ...options, unparsedBytes: 0, isClosing: false, startSlicing }

  function accept(socket: Socket): void {
    accepted++
    const connection = new ClientConnection(socket, shared)
    connections.set(socket, connection)
    if (performance.now() < slicingUntil) connection.slice()
    socket.once('close', () => connections.delete(socket))
  }

  function startSlicing(until: number): void {
    slicingUntil = Math.max(slicingUntil, until)
    for (const connection of connections.values()) connection.slice()
  }

  function afterRequests(socket: Socket, isTimeout: boolean, act: () => void): void {
    const connection = connections.get(socket)
    if (connection === undefined) act()
    else connection.afterRequests(isTimeout, act)
  }

  function closeAfterResponses(): void {
    shared.isClosing = true
    // If a packet is parsed whole, its first request seems to be the last one.
    startSlicing(Number.POSITIVE_INFINITY)
    for (const connection of connections.values()) connection.closeAfterResponse()
  }

  return {
    ...{ accept, afterRequests, closeAfterResponses },
    arrive: (request, response) => connections.get(request.socket)?.arrive(request, response),
    sockets: () => connections.keys(),
    count: () => accepted,
  }
}

/** Created once: a LookupError has a stack. */
const callerLeft = new LookupError('CallerLeft')

class ClientConnection implements Holder {
  readonly socket: Socket
  held = 0
  progressAt = 0
  readonly #shared: ListenerState
  /** Aborted when the client has left. */
  readonly #leaving = new AbortController()
  /** Requests that wait for the response to the current one. */
  readonly #waiting: Exchange[] = []
  #current: Exchange | null = null
  /** Requests whose headers have come, and the last one of them. */
  #requests = 0
  #latest: IncomingMessage | null = null
  /** Passes bytes to Node's parser; `null` if the parser reads the socket itself. */
  #parse: ((bytes: Buffer) => void) | null = null
  /** Bytes that wait for the response to an earlier request. Meanwhile the socket is paused. */
  #unparsed: Buffer | null = null
  /** Whether `#parseSlices` is scheduled for the next turn of the event loop. */
  #isDue = false
  /** Bytes of the body of the latest request. */
  #bodyBytes = 0
  /** Errors of the parser that wait for responses. */
  readonly #errors: (() => void)[] = []
  /** The timeout of an incomplete request that waits for responses. */
  #overdue: (() => void) | null = null

  constructor(socket: Socket, shared: ListenerState) {
    this.socket = socket
    this.#shared = shared
    // Run before Node's own listener, which closes the connection after the requests that Node has parsed:
    // requests that wait as bytes would get no response.
    socket.prependOnceListener('end', () => {
      const unparsed = this.#unparsed
      this.#setUnparsed(null)
      if (unparsed !== null) this.#parse?.(unparsed)
      this.#watchHalfClosed()
    })
    // Node resumes the socket after each request and each response.
    socket.on('resume', () => {
      if (this.#unparsed !== null || this.#errors.length > 0) socket.pause()
    })
    socket.once('close', () => {
      this.#waiting.length = 0
      this.#setUnparsed(null)
      shared.memory.forget(this)
      this.#leaving.abort(callerLeft)
    })
  }

  /** Starts slicing: replaces Node's own listener, which would parse all bytes of a packet. */
  slice(): void {
    const { socket } = this
    if (this.#parse !== null) return
    const [parse] = socket.listeners('data')
    if (parse === undefined) return
    this.#parse = parse as (bytes: Buffer) => void
    // Once a listener is added, Node's parser no longer reads the socket itself.
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.off('data', this.#parse)
    // The parser may have stopped the socket, and the stream does not know: an empty chunk starts it again.
    socket.push('')
  }

  #receive(bytes: Buffer): void {
    const { socket } = this
    // Unread bytes would reset the connection and lose the last response.
    if (!socket.writable) return
    if (this.#unparsed !== null) {
      socket.pause()
      socket.unshift(bytes)
      return
    }
    this.#setUnparsed(bytes)
    this.#parseSlices()
    if (this.#unparsed !== null && this.#shared.unparsedBytes > MAX_UNPARSED_BYTES)
      this.#shared.memory.cut(this)
  }

  /** Starts the next request. If none is parsed yet, parses bytes up to the end of headers or of a body. */
  #parseSlices(): void {
    this.#startNext()
    for (let slices = 0; slices < MAX_SLICES; slices++) {
      const unparsed = this.#unparsed
      if (unparsed === null || this.#isCurrentComplete() || !this.socket.writable) break
      const least = this.#latest?.complete === false ? BODY_SHARE * this.#bodyBytes : 0
      const blankLine = unparsed.indexOf(BLANK_LINE, least)
      const end = blankLine === -1 ? unparsed.length : blankLine + BLANK_LINE.length
      this.#setUnparsed(end < unparsed.length ? unparsed.subarray(end) : null)
      this.#bodyBytes += end
      this.#parse?.(unparsed.subarray(0, end))
    }
    this.#proceed()
  }

  #setUnparsed(unparsed: Buffer | null): void {
    this.#shared.unparsedBytes += (unparsed?.length ?? 0) - (this.#unparsed?.length ?? 0)
    this.#unparsed = unparsed
  }

  arrive(request: IncomingMessage, response: ServerResponse): void {
    const { memory, startSlicing } = this.#shared
    // A packet may contain further requests after the connection was destroyed.
    if (this.socket.destroyed) return
    const exchange = new Exchange(request, response, this, memory, this.#leaving.signal)
    this.#requests++
    this.#latest = request
    this.#bodyBytes = 0
    memory.hold(this, exchange.bytes)
    this.#waiting.push(exchange)
    if (this.#waiting.length === 1) this.#startNext()
    if (this.#waiting.length > MAX_WAITING && this.#parse === null)
      startSlicing(performance.now() + SLICING_MS)
  }

  #startNext(): void {
    const exchange = this.#current === null ? this.#waiting.shift() : undefined
    if (exchange === undefined) return
    const { request, response } = exchange
    this.#current = exchange
    if (this.#shared.isClosing) this.closeAfterResponse()
    // Node's automatic 100 could land inside an earlier response.
    if (expectsContinue(request)) response.writeContinue()
    response.on('close', () => this.#finish(exchange))
    this.#shared.handle(exchange)
  }

  #finish(exchange: Exchange): void {
    const { memory } = this.#shared
    exchange.onEnd?.()
    this.#current = null
    if (this.socket.destroyed) return
    memory.endResponse(this)
    memory.hold(this, -exchange.bytes)
    if (this.#errors.length > 0 && !this.#owesResponse()) for (const act of this.#errors.splice(0)) act()
    else {
      if (this.#parse === null) this.#startNext()
      if (this.#overdue !== null && !this.#owesResponse()) {
        this.#startTimeout(this.#overdue)
        this.#overdue = null
      }
    }
    this.#proceed()
  }

  /**
   * Reads on if no other request waits. Otherwise starts that request in the next turn of the event loop, so
   * that other connections make progress in between.
   */
  #proceed(): void {
    const { socket } = this
    if (!socket.writable) this.#setUnparsed(null)
    if (this.#isOnlyRequest()) {
      // Node pauses the socket while nobody reads the body, and resumes the socket itself.
      const latest = this.#latest
      const isBehind = latest !== null && latest.readableLength >= latest.readableHighWaterMark
      if (socket.isPaused() && !isBehind) socket.resume()
      return
    }
    socket.pause()
    if (this.#isDue || this.#isCurrentComplete()) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#parseSlices()
    })
  }

  /** Whether the current request has arrived completely, so only its response is missing. */
  #isCurrentComplete(): boolean {
    return this.#current?.request.complete === true
  }

  /** Whether no byte of another request waits. */
  #isOnlyRequest(): boolean {
    return this.#waiting.length === 0 && this.#unparsed === null
  }

  closeAfterResponse(): void {
    if (this.#current !== null && this.#isOnlyRequest()) this.#current.response.shouldKeepAlive = false
  }

  afterRequests(isTimeout: boolean, act: () => void): void {
    if (!this.#owesResponse()) act()
    else if (isTimeout) this.#overdue = act
    else {
      this.#errors.push(act)
      // Each packet that follows would be one more error.
      this.socket.pause()
    }
  }

  /**
   * Whether a response has to end before an error is sent: to a complete request, or a response that has
   * begun. An incomplete request gets the error as its response.
   */
  #owesResponse(): boolean {
    if (this.#current === null) return this.#waiting[0]?.request.complete === true
    return this.#current.request.complete || this.#current.response.headersSent
  }

  /** Restarts the timeout of an incomplete request: while the socket was paused, nothing could arrive. */
  #startTimeout(act: () => void): void {
    const requests = this.#requests
    const isHead = this.#latest?.complete !== false
    const late = () => {
      const isSameHead = isHead && this.#requests === requests
      const isBody = this.#requests === requests + (isHead ? 1 : 0) && this.#latest?.complete === false
      if (!this.socket.destroyed && (isSameHead || isBody)) act()
    }
    setTimeout(late, this.#shared.requestTimeout).unref()
  }

  /** Closes the connection if no response begins in time. */
  #watchHalfClosed(): void {
    const current = this.#current
    const check = () => {
      if (this.socket.destroyed) return
      const isSilent = current !== null && this.#current === current && !current.response.headersSent
      if (isSilent) this.socket.destroy()
      else this.#watchHalfClosed()
    }
    setTimeout(check, HALF_CLOSED_MS).unref()
  }
}
