// A request with its response, as handler.ts sees them: what they take of the memory, and whether the client
// has left. Long bodies are written in pieces, so that memory.ts sees the progress of the client.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Holder, Memory } from './memory.ts'

/** Bytes that Node takes for a request and its response, besides the target and the headers. */
const REQUEST_BYTES = 6 * 1024
/** Bytes that are written at once. A client that has taken them makes progress. */
const PIECE_BYTES = 64 * 1024

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Aborted with LookupError `CallerLeft` when the connection is closed. */
  readonly signal: AbortSignal
  /** Bytes of the headers. */
  readonly headerBytes: number
  /** Bytes of memory that the request takes. */
  readonly bytes: number
  readonly #holder: Holder
  readonly #memory: Memory
  /** Called when the system has taken the last byte of the response, or the client has left. */
  onEnd: (() => void) | null = null

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    holder: Holder,
    memory: Memory,
    signal: AbortSignal,
  ) {
    this.request = request
    this.response = response
    this.signal = signal
    this.#holder = holder
    this.#memory = memory
    let headerBytes = 0
    for (const text of request.rawHeaders) headerBytes += text.length
    this.headerBytes = headerBytes
    this.bytes = REQUEST_BYTES + (request.url ?? '').length + headerBytes
  }

  /** Whether there is memory for a response of so many bytes. */
  hasRoom(bytes: number): boolean {
    return this.#memory.hasRoom(this.#holder, bytes)
  }

  /** Sends the body of the response. A Buffer is a page that stays in memory anyway, and is not counted. */
  end(body: string | Buffer): void {
    const held = typeof body === 'string' ? body.length : Math.min(body.length, PIECE_BYTES)
    if (body.length > PIECE_BYTES) {
      this.#memory.holdResponse(this.#holder, held)
      this.#writePieces(body, 0)
      return
    }
    this.response.end(body, 'latin1')
    // Nearly always, the system takes all bytes at once.
    if (this.#holder.socket.writableLength > 0) this.#memory.holdResponse(this.#holder, held)
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
      this.#memory.take(this.#holder, typeof body === 'string' ? PIECE_BYTES : 0)
      this.#writePieces(body, next)
    })
  }
}
