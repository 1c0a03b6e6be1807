// Compressed logs, recognised by their first bytes. A damaged archive is read up to the damage.

import { createGunzip, createZstdDecompress } from 'node:zlib'

/** Bytes that a decoder returns at a time, however far a few bytes expand. */
const chunkSize = 256 * 1024

const compressions = [
  { name: 'gzip', magic: [0x1f, 0x8b], open: () => createGunzip({ chunkSize }) },
  { name: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd], open: () => createZstdDecompress({ chunkSize }) },
] as const

type LogCompression = (typeof compressions)[number]
type Decoder = ReturnType<LogCompression['open']>

/** @param head the first bytes of a file */
export function compressionOf(head: Buffer): LogCompression | null {
  return compressions.find(({ magic }) => magic.every((byte, at) => head[at] === byte)) ?? null
}

/** @param onDamage is called with the reason if not all of it could be decompressed */
export async function* decompressed(
  chunks: AsyncIterable<Buffer>,
  { open }: LogCompression,
  onDamage: (reason: string) => void,
): AsyncGenerator<Buffer> {
  const stream = open()
  let reason = ''
  stream.on('error', ({ message }) => {
    reason = message
  })
  const feeding = feed(chunks, stream)
  feeding.catch(() => {})
  try {
    yield* readToEnd(stream)
    const isWhole = await feeding
    if (!isWhole || reason !== '') onDamage(reason || 'other bytes follow the archive')
  } finally {
    stream.destroy()
  }
}

/** @returns whether all of it was decoded, except for NULs at its end */
async function feed(chunks: AsyncIterable<Buffer>, stream: Decoder): Promise<boolean> {
  let fed = 0
  let isDecoded = true
  try {
    for await (const chunk of chunks) {
      // Wait for each chunk: if the archive ends in the middle, its last chunk is decoded before the error.
      const { promise, resolve } = Promise.withResolvers<void>()
      stream.once('close', resolve)
      stream.write(chunk, () => resolve())
      await promise
      stream.off('close', resolve)
      fed += chunk.length
      const rest = Math.min(chunk.length, fed - stream.bytesWritten)
      isDecoded &&= rest <= 0 || chunk.subarray(-rest).every((byte) => byte === 0)
      if (stream.destroyed) return isDecoded
    }
    stream.end()
    return isDecoded
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** Also yields what was decoded before an error. The iterator of a stream would discard these bytes. */
async function* readToEnd(stream: Decoder): AsyncGenerator<Buffer> {
  let isOver = false
  let wake = () => {}
  stream.on('readable', () => wake())
  for (const event of ['end', 'error', 'close'])
    stream.on(event, () => {
      isOver = true
      wake()
    })
  for (;;) {
    const chunk: Buffer | null = stream.read()
    if (chunk !== null) yield chunk
    else if (isOver) return
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}
