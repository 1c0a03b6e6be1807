// Log files of any size → lines, in constant memory. Compressed ones are told by their first bytes.

import { createReadStream } from 'node:fs'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../../terminal/command-error.ts'

/** The log cannot be read. */
export class LogError extends CommandError {}

/** Characters of a line; of a longer one, nothing is read. Servers take no longer requests than this. */
const MAX_LINE_LENGTH = 256 * 1024

/**
 * Lines in bunches, one character for each byte; a line that is too long comes as an empty one.
 * @param files paths, or `-` for standard input
 * @param onBytes is told how many bytes of the files have been read, before they are decompressed
 * @throws LogError
 */
export async function* readLogLines(
  files: readonly string[],
  onBytes: (bytes: number) => void,
  signal?: AbortSignal,
): AsyncGenerator<string[]> {
  let bytes = 0
  for (const file of files) {
    const source: Readable =
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
    // A pipe may have nothing to say for long.
    const stop = () => source.destroy()
    signal?.addEventListener('abort', stop)
    try {
      const counted = async function* () {
        for await (const chunk of source) {
          bytes += chunk.length
          yield chunk
          onBytes(bytes)
        }
      }
      yield* linesOf(await decompressed(counted()))
    } catch (error) {
      if (signal?.aborted) return
      throw new LogError(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
    } finally {
      signal?.removeEventListener('abort', stop)
      source.destroy()
    }
  }
}

async function decompressed(chunks: AsyncGenerator<Buffer>): Promise<AsyncIterable<Buffer>> {
  const first = await chunks.next()
  const all = async function* () {
    if (!first.done) yield first.value
    yield* chunks
  }
  if (first.done || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return all()
  // What goes wrong on the way is thrown where the lines are read.
  return pipeline(all(), createGunzip(), new PassThrough(), () => {})
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest = ''
  let skipping = false
  for await (const chunk of chunks) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (skipping && lines.length > 0) {
      lines[0] = ''
      skipping = false
    }
    if (rest.length > MAX_LINE_LENGTH) {
      rest = ''
      skipping = true
    }
    yield lines
  }
  if (rest !== '' && !skipping) yield [rest]
}
