import type { IncomingMessage } from 'node:http'

/**
 * Reads a request body.
 * @returns `null` as soon as it proves longer than the limit, in bytes; the rest is left unread
 * @throws Node's error when the client breaks off
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer> | null> {
  const { 'content-length': announced, 'transfer-encoding': encoding } = request.headers
  if (Number(announced ?? 0) > limit) return Promise.resolve(null)
  if (announced === undefined && encoding === undefined) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const chunks: Buffer<ArrayBuffer>[] = []
    let length = 0
    request.on('data', (chunk: Buffer<ArrayBuffer>) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else {
        request.removeAllListeners('data').pause()
        resolve(null)
      }
    })
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
