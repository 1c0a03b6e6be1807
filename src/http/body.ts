// Reads the body of a request whole, within limits, or discards it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { LookupError } from '../errors.ts'

/** Bytes of all bodies that are still incomplete. */
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** Chunks of a body (RFC 9112, 7.1). Each takes some 3 us, even if it has one byte. */
const MAX_CHUNKS = 1024
/** Bytes of memory that Node uses for a chunk besides its data. */
const CHUNK_BYTES = 500
/** Bytes of chunk sizes, extensions and line ends that may come with a body. */
const MAX_FRAMING_BYTES = 256 * 1024
/** Bytes of a discarded body: a longer one costs more than a new connection. */
const MAX_DISCARDED_BYTES = 64 * 1024

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Discards a body that no route reads, so that the connection can carry the next request. Node would read any
 * number of bytes. If the body is too long, the connection is closed after the response.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse): void {
  // A body is discarded once, even if its request is refused later.
  if (!hasBody(request) || request.listenerCount('data') > 0) return
  const isTooMuch = chunkCounter(request, MAX_FRAMING_BYTES)
  let bytes = 0
  request.on('data', ({ length }: Buffer) => {
    bytes += length
    if (!isTooMuch() && bytes <= MAX_DISCARDED_BYTES) return
    request.removeAllListeners('data')
    // Not `destroySoon`, during which Node would read on.
    const close = () => void request.socket.destroy()
    if (response.writableFinished) close()
    else response.once('finish', close)
  })
}

/**
 * Creates a function that counts one more chunk, and returns whether there are too many chunks or bytes.
 * @param most bytes of the body, framing included
 */
function chunkCounter({ headers, socket }: IncomingMessage, most: number): () => boolean {
  let chunks = 0
  // A body with a Content-Length has no framing.
  if (headers['transfer-encoding'] === undefined) return () => ++chunks > MAX_CHUNKS
  const before = socket.bytesRead
  return () => ++chunks > MAX_CHUNKS || socket.bytesRead - before > most
}

/** Content codings (RFC 9110, 8.4) that change nothing. */
const uncompressed: ReadonlySet<string> = new Set(['', 'identity'])

/**
 * Creates a reader of bodies. The reader rejects with a LookupError and leaves the rest of the body unread:
 * `CompressedBody`, `TooLargeBody`, `TooManyChunks`, or `Overloaded` if all incomplete bodies together are
 * too long. The reader rejects with Node's error if the client disconnects.
 * @param limit bytes of a body
 * @param readsCompressed whether bodies may be compressed, since the old service decompresses them
 */
export function createBodyReader(limit: number, readsCompressed = false) {
  let held = 0
  return (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
    if (!readsCompressed && !uncompressed.has(request.headers['content-encoding']?.toLowerCase() ?? ''))
      return Promise.reject(new LookupError('CompressedBody'))
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return Promise.reject(new LookupError('TooLargeBody', [String(limit)]))
    return new Promise((resolve, reject) => {
      const chunks: Buffer<ArrayBuffer>[] = []
      const isTooMuch = chunkCounter(request, limit + MAX_FRAMING_BYTES)
      let length = 0
      let taken = 0
      function refuse(error: LookupError): void {
        request.removeAllListeners('data')
        finish()
        reject(error)
      }
      function finish(): void {
        held -= taken
        taken = 0
      }
      request.on('data', (chunk: Buffer<ArrayBuffer>) => {
        length += chunk.length
        taken += chunk.length + CHUNK_BYTES
        held += chunk.length + CHUNK_BYTES
        if (length > limit) refuse(new LookupError('TooLargeBody', [String(limit)]))
        else if (isTooMuch()) refuse(new LookupError('TooManyChunks', [String(MAX_CHUNKS)]))
        else if (held > MAX_HELD_BYTES) refuse(new LookupError('Overloaded'))
        else chunks.push(chunk)
      })
      request.on('end', () => {
        finish()
        resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
      })
      request.on('error', reject).on('close', finish)
    })
  }
}

/** The regex by which Node decides to emit `checkContinue`. */
const continueHeader = /(?:^|\W)100-continue(?:$|\W)/i

/** Whether a client waits for a 100 response before it sends the body (RFC 9110, 10.1.1). */
export function expectsContinue({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor === 1 && continueHeader.test(headers.expect)
}
