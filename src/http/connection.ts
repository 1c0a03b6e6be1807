// The connections of a listener. Each handles one request at a time, in order. A fault here loses responses,
// or gives a client the response to another request: pipelining.test.ts and slow-clients.test.ts find both.
//
// A request moves through four places: unparsed bytes (`#slices`) -> parsed requests (`#waiting`) -> the
// request that handler.ts works on (`#current`) -> its response has ended (`#finish`). After each event,
// `#proceed` decides: if nothing waits, the socket is read; otherwise the socket is paused, and `#takeTurn`
// moves the next request in the next turn of the event loop.
//
// Attacks, and what holds against each:
// - a packet of 2,000 small requests: one request a turn, and bytes in slices, see slices.ts
// - the same on new connections: after the first such client, all connections are sliced for a minute
// - pipelining without reading responses: the paused socket, and MAX_UNPARSED_BYTES
// - invalid bytes behind a request, whose 400 would overtake its response: `#errors`
// - `Expect: 100-continue` behind a request: the 100 is sent in `#startNext`
// - half a request behind a slow response: its timeout starts again after the response, `#restartTimeout`
// - clients that leave while their response is made: HALF_CLOSED_MS, and the signal of the exchange
//
// Unless bytes are sliced, Node's parser reads the socket itself, which takes 10 % less time than a stream.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LookupError } from '../errors.ts'
import { expectsContinue } from './body.ts'
import { Exchange } from './exchange.ts'
import type { Holder, Memory } from './memory.ts'
import { Slices, type UnparsedTotal } from './slices.ts'

/** Requests that may wait on a connection before slicing starts: 16 of 6 KiB take less than a response. */
const MAX_WAITING = 16
const SLICING_MS = 60_000
/** Slices that a connection parses in a turn of the event loop, such as headers and three parts of a body. */
const MAX_SLICES = 4
/** Unparsed bytes of all connections together. The connection that exceeds the limit is cut. */
const MAX_UNPARSED_BYTES = 16 * 1024 * 1024
/**
 * Milliseconds until a response has to begin if the client has closed its side, as `nc` does: most such
 * clients have left, and nobody would read the response.
 */
const HALF_CLOSED_MS = 100

/** Created once: a LookupError has a stack. */
const callerLeft = new LookupError('CallerLeft')

export class ClientConnections {
  readonly handle: (exchange: Exchange) => void
  readonly memory: Memory
  /** Milliseconds that a client has to send a request. */
  readonly requestTimeout: number
  readonly unparsed: UnparsedTotal = { bytes: 0 }
  isClosing = false
  /** Connections accepted so far. */
  count = 0
  readonly #connections = new Map<Socket, ClientConnection>()
  #slicingUntil = 0

  constructor(handle: (exchange: Exchange) => void, memory: Memory, requestTimeout: number) {
    this.handle = handle
    this.memory = memory
    this.requestTimeout = requestTimeout
  }

  /** Takes a connection before its first request. */
  accept(socket: Socket): void {
    this.count++
    const connection = new ClientConnection(socket, this)
    this.#connections.set(socket, connection)
    if (performance.now() < this.#slicingUntil) connection.slice()
    socket.once('close', () => this.#connections.delete(socket))
  }

  /** Takes a request after its headers. */
  arrive(request: IncomingMessage, response: ServerResponse): void {
    this.#connections.get(request.socket)?.arrive(request, response)
  }

  /** Calls `act` for an error of Node's parser, after the responses to the earlier requests. */
  afterRequests(socket: Socket, isTimeout: boolean, act: () => void): void {
    const connection = this.#connections.get(socket)
    if (connection === undefined) act()
    else connection.afterRequests(isTimeout, act)
  }

  startSlicing(milliseconds: number): void {
    this.#slicingUntil = Math.max(this.#slicingUntil, performance.now() + milliseconds)
    for (const connection of this.#connections.values()) connection.slice()
  }

  /** From now on, each response closes its connection. */
  closeAfterResponses(): void {
    this.isClosing = true
    // If a packet is parsed whole, its first request seems to be the last one.
    this.startSlicing(Number.POSITIVE_INFINITY)
    for (const connection of this.#connections.values()) connection.closeAfterResponse()
  }

  sockets(): Iterable<Socket> {
    return this.#connections.keys()
  }
}

class ClientConnection implements Holder {
  readonly socket: Socket
  held = 0
  progressAt = 0
  readonly #listener: ClientConnections
  /** Aborted when the client has left. */
  readonly #leaving = new AbortController()
  /** The request that is handled now; behind it parsed requests, and behind these unparsed bytes. */
  #current: Exchange | null = null
  readonly #waiting: Exchange[] = []
  /** `null` while Node's parser reads the socket itself. */
  #slices: Slices | null = null
  /** Errors of the parser, which are sent after the responses before them. */
  readonly #errors: (() => void)[] = []
  /** Requests whose headers have come, and the last one of them. */
  #requests = 0
  #latest: IncomingMessage | null = null
  /** Whether `#takeTurn` is scheduled. */
  #isDue = false

  constructor(socket: Socket, listener: ClientConnections) {
    this.socket = socket
    this.#listener = listener
    // Before Node's own listener, which closes the connection after the requests that Node has parsed:
    // requests that wait as bytes would get no response.
    socket.prependOnceListener('end', () => {
      this.#slices?.parseAll()
      this.#watchHalfClosed()
    })
    // Node resumes the socket after each request and each response.
    socket.on('resume', () => {
      if (!this.#hasParsedAll() || this.#errors.length > 0) socket.pause()
    })
    socket.once('close', () => {
      this.#waiting.length = 0
      this.#slices?.clear()
      listener.memory.forget(this)
      this.#leaving.abort(callerLeft)
    })
  }

  /** Replaces Node's own listener, which would parse all bytes of a packet at once. */
  slice(): void {
    const { socket } = this
    // The types of Node know no more of a listener than that it is a function.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    if (this.#slices !== null || parse === undefined) return
    this.#slices = new Slices(parse, this.#listener.unparsed)
    // Once a listener is added, Node's parser no longer reads the socket itself.
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.off('data', parse)
    // The parser may have stopped the socket, and the stream does not know: an empty chunk starts it again.
    socket.push('')
  }

  #receive(bytes: Buffer): void {
    const { memory, unparsed } = this.#listener
    // Bytes after the last response are read, since unread bytes would reset the connection and lose it.
    if (!this.socket.writable) return
    this.#slices?.add(bytes)
    this.#takeTurn()
    // A client that pipelines and reads no responses.
    if (!this.#hasParsedAll() && unparsed.bytes > MAX_UNPARSED_BYTES) memory.cut(this)
  }

  arrive(request: IncomingMessage, response: ServerResponse): void {
    const { memory } = this.#listener
    // A packet may contain further requests after the connection was destroyed.
    if (this.socket.destroyed) return
    const exchange = new Exchange(request, response, this, memory, this.#leaving.signal)
    this.#requests++
    this.#latest = request
    memory.hold(this, exchange.bytes)
    this.#waiting.push(exchange)
    this.#startNext()
    if (this.#waiting.length > MAX_WAITING && this.#slices === null) this.#listener.startSlicing(SLICING_MS)
  }

  #startNext(): void {
    const exchange = this.#current === null ? this.#waiting.shift() : undefined
    if (exchange === undefined) return
    const { request, response } = exchange
    this.#current = exchange
    if (this.#listener.isClosing) this.closeAfterResponse()
    // Node's automatic 100 could land inside an earlier response.
    if (expectsContinue(request)) response.writeContinue()
    response.on('close', () => this.#finish(exchange))
    this.#listener.handle(exchange)
  }

  #finish(exchange: Exchange): void {
    const { memory } = this.#listener
    exchange.onEnd?.()
    this.#current = null
    if (this.socket.destroyed) return
    memory.endResponse(this)
    memory.hold(this, -exchange.bytes)
    if (!this.#owesResponse()) for (const act of this.#errors.splice(0)) act()
    this.#proceed()
  }

  /** Reads on if no other request waits. Otherwise schedules that request. */
  #proceed(): void {
    const { socket } = this
    if (!socket.writable) this.#slices?.clear()
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
      this.#takeTurn()
    })
  }

  /** Starts the next request. If none is parsed yet, parses bytes up to the end of headers or of a body. */
  #takeTurn(): void {
    this.#startNext()
    for (let slices = 0; slices < MAX_SLICES; slices++) {
      if (this.#isCurrentComplete() || !this.socket.writable) break
      this.#slices?.parseNext(this.#latest)
    }
    this.#proceed()
  }

  /** Whether the current request has arrived completely, so only its response is missing. */
  #isCurrentComplete(): boolean {
    return this.#current?.request.complete === true
  }

  #hasParsedAll(): boolean {
    return this.#slices === null || this.#slices.isEmpty
  }

  /** Whether no byte of another request waits. */
  #isOnlyRequest(): boolean {
    return this.#waiting.length === 0 && this.#hasParsedAll()
  }

  closeAfterResponse(): void {
    if (this.#current !== null && this.#isOnlyRequest()) this.#current.response.shouldKeepAlive = false
  }

  afterRequests(isTimeout: boolean, act: () => void): void {
    if (!this.#owesResponse()) act()
    else if (isTimeout) this.#errors.push(() => this.#restartTimeout(act))
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

  /**
   * Gives a late request its whole time again: while the socket was paused for earlier responses, no part of
   * the request could arrive. Node reports a late request only once.
   */
  #restartTimeout(act: () => void): void {
    const hasHeaders = this.#latest?.complete === false
    /** The late request: `#requests` has this value once its headers have come. */
    const late = this.#requests + (hasHeaders ? 0 : 1)
    const check = () => {
      const isBodyLate = this.#requests === late && this.#latest?.complete === false
      if (this.#requests < late || isBodyLate) this.afterRequests(false, act)
    }
    setTimeout(check, this.#listener.requestTimeout).unref()
  }

  /** Closes the connection if no response begins in time. */
  #watchHalfClosed(): void {
    const current = this.#current
    const check = () => {
      const isSilent = current !== null && this.#current === current && !current.response.headersSent
      if (isSilent) this.socket.destroy()
      else if (!this.socket.destroyed) this.#watchHalfClosed()
    }
    setTimeout(check, HALF_CLOSED_MS).unref()
  }
}
