// Passes the bytes of a connection to Node's parser in slices: the headers of one request, or a part of its
// body. Otherwise a packet of 64 KiB would become thousands of requests at once, while other connections wait
// (the attack "small requests, pipelined" of test/faults/neighbours.faults.test.ts).

import type { IncomingMessage } from 'node:http'

/**
 * A slice of a body has at least this share of the bytes before it. Otherwise a body of blank lines would
 * become thousands of slices; now it becomes some hundred.
 */
const BODY_SHARE = 1 / 16
const BLANK_LINE = '\r\n\r\n'

/** Unparsed bytes of all connections of a listener. */
export interface UnparsedTotal {
  bytes: number
}

export class Slices {
  readonly #parse: (bytes: Buffer) => void
  readonly #total: UnparsedTotal
  #unparsed: Buffer | null = null
  /** The request whose body is parsed, and the bytes of that body so far. */
  #request: IncomingMessage | null = null
  #bodyBytes = 0

  /** @param parse Node's own listener for the bytes of the socket */
  constructor(parse: (bytes: Buffer) => void, total: UnparsedTotal) {
    this.#parse = parse
    this.#total = total
  }

  get isEmpty(): boolean {
    return this.#unparsed === null
  }

  add(bytes: Buffer): void {
    this.#set(this.#unparsed === null ? bytes : Buffer.concat([this.#unparsed, bytes]))
  }

  /** Parses one slice. @param latest the request whose headers came last */
  parseNext(latest: IncomingMessage | null): void {
    const unparsed = this.#unparsed
    if (unparsed === null) return
    if (this.#request !== latest) this.#bodyBytes = 0
    this.#request = latest
    const least = latest?.complete === false ? BODY_SHARE * this.#bodyBytes : 0
    const blankLine = unparsed.indexOf(BLANK_LINE, least)
    const end = blankLine === -1 ? unparsed.length : blankLine + BLANK_LINE.length
    this.#set(end < unparsed.length ? unparsed.subarray(end) : null)
    this.#bodyBytes += end
    this.#parse(unparsed.subarray(0, end))
  }

  parseAll(): void {
    const unparsed = this.#unparsed
    this.clear()
    if (unparsed !== null) this.#parse(unparsed)
  }

  clear(): void {
    this.#set(null)
  }

  #set(unparsed: Buffer | null): void {
    this.#total.bytes += (unparsed?.length ?? 0) - (this.#unparsed?.length ?? 0)
    this.#unparsed = unparsed
  }
}
