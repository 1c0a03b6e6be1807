import type { IncomingMessage } from 'node:http'
import { LookupError } from '../errors.ts'

/** Bytes of bodies that have not come to their end, all clients together. */
const MOST_HELD = 64 * 1024 * 1024

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/**
 * Reads the bodies of requests that have one.
 *
 * Rejects as soon as one proves too long (LookupError `TooLargeBody`), or too much to hold beside the others
 * (`Overloaded`): the rest is left unread. Rejects with Node's error when the client breaks off.
 *
 * @param limit bytes of a body
 */
export function createBodyReader(limit: number) {
  let held = 0
  return (request: IncomingMessage): Promise<Buffer<ArrayBuffer>> => {
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return Promise.reject(new LookupError('TooLargeBody', [String(limit)]))
    return new Promise((resolve, reject) => {
      const chunks: Buffer<ArrayBuffer>[] = []
      let length = 0
      function refuse(error: LookupError): void {
        request.removeAllListeners('data').pause()
        finish()
        reject(error)
      }
      function finish(): void {
        held -= length
        length = 0
      }
      request.on('data', (chunk: Buffer<ArrayBuffer>) => {
        length += chunk.length
        held += chunk.length
        if (length > limit) refuse(new LookupError('TooLargeBody', [String(limit)]))
        else if (held > MOST_HELD) refuse(new LookupError('Overloaded'))
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
