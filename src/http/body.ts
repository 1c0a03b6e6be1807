import type { IncomingMessage } from 'node:http'

/**
 * Reads a request body.
 * @returns `null` as soon as it proves longer than the limit, in bytes; the rest is left unread
 * @throws Node's error when the client breaks off
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const { 'content-length': announced, 'transfer-encoding': encoding } = request.headers
  if (Number(announced ?? 0) > limit) return null
  if (announced === undefined && encoding === undefined) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else {
        request.removeAllListeners('data').pause()
        resolve(null)
      }
    })
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.once('error', reject)
  })
}
