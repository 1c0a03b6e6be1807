import type { IncomingMessage, ServerResponse } from 'node:http'
import { LookupError } from '../errors.ts'

/** Bytes of bodies that have not come to their end, all clients together. */
const MAX_HELD_BYTES = 64 * 1024 * 1024
/** Chunks of a body (RFC 9112, 7.1). Each takes some 3 µs, even if it has one byte. */
const MAX_CHUNKS = 1024
/**
 * Bytes that Node takes for a chunk, and those that may come with the chunks of a body: extensions and lines.
 */
const CHUNK_BYTES = 500
const MAX_FRAMING_BYTES = 256 * 1024
/** Bytes of a body that is not wanted: so much is taken from the connection, to be able to use it again. */
const MAX_DISCARDED_BYTES = 64 * 1024

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Takes a body that is not wanted from its connection, which can then be used again. Node would read any
 * number of bytes: where there are too many, the connection is closed after the response.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  const isTooMuch = countChunks(request, MAX_FRAMING_BYTES)
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
 * Counts the chunks of a body, and the bytes that come with them.
 * @param most bytes that may come, framing included
 * @returns counts one more chunk, and says whether there are too many
 */
function countChunks({ headers, socket }: IncomingMessage, most: number): () => boolean {
  let chunks = 0
  // One whose length is known has no framing.
  if (headers['transfer-encoding'] === undefined) return () => ++chunks > MAX_CHUNKS
  const before = socket.bytesRead
  return () => ++chunks > MAX_CHUNKS || socket.bytesRead - before > most
}

/** Content codings (RFC 9110, 8.4) that change nothing. */
const uncompressed: ReadonlySet<string> = new Set(['', 'identity'])

/**
 * Reads the bodies of requests that have one.
 *
 * Rejects at once where one is compressed (LookupError `CompressedBody`), and as soon as one proves too long
 * (`TooLargeBody`), to come in too many pieces (`TooManyChunks`), or too much to hold beside the others
 * (`Overloaded`): the rest is left unread. Rejects with Node's error when the client breaks off.
 *
 * @param limit bytes of a body
 * @param readsCompressed whether bodies may be compressed: for another server, which undoes it
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
      const isTooMuch = countChunks(request, limit + MAX_FRAMING_BYTES)
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

/** As Node reads the header, before it emits `checkContinue`. */
const continueHeader = /(?:^|\W)100-continue(?:$|\W)/i

/** Whether a client waits to be told to go on (100) before it sends the body (RFC 9110, 10.1.1). */
export function expectsContinue({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor === 1 && continueHeader.test(headers.expect)
}
