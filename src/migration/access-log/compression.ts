// Compressed logs, told by their first bytes. What was in an archive that is cut off or damaged is read.

import { spawn } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import { constants, createGunzip, createZstdDecompress } from 'node:zlib'
import { LogError } from './log-error.ts'

/** Bytes that a decoder gives at a time. */
const CHUNK_BYTES = 256 * 1024

/**
 * gzip and zstd come with Node. For xz and bzip2 it is the system's programs: packages of npm for them are
 * native ones that run scripts when they are installed, or have had no release for years; and the programs
 * are where such logs are made, work beside this process, and give what is in a damaged file.
 */
export const compressions = {
  gzip: {
    magic: [0x1f, 0x8b],
    open: () => decoder(createGunzip({ chunkSize: CHUNK_BYTES })),
  },
  zstd: {
    magic: [0x28, 0xb5, 0x2f, 0xfd],
    // A window of 128 MiB is what `zstd` itself takes where it is not told otherwise.
    open: () =>
      decoder(
        createZstdDecompress({
          chunkSize: CHUNK_BYTES,
          params: { [constants.ZSTD_d_windowLogMax]: 27 },
        }),
      ),
  },
  xz: {
    magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
    open: () => program('xz', ['-dcq', '--memlimit-decompress=256MiB'], 'xz-utils'),
  },
  bzip2: {
    magic: [0x42, 0x5a, 0x68],
    open: () => program('bzip2', ['-dc'], 'bzip2'),
  },
} as const satisfies Record<string, { readonly magic: readonly number[]; readonly open: () => Decompressor }>

export type Compression = keyof typeof compressions

const names: readonly Compression[] = ['gzip', 'zstd', 'xz', 'bzip2']

/** @param head the first bytes of a file */
export function compressionOf(head: Buffer): Compression | null {
  return names.find((name) => compressions[name].magic.every((byte, at) => head[at] === byte)) ?? null
}

interface Decompressor {
  readonly input: Writable
  readonly output: Readable
  /** Why it has stopped before the end; `null` where it has not. To be asked when the output has ended. */
  readonly failure: () => Promise<string | null>
  readonly close: () => void
}

function decoder(stream: Duplex): Decompressor {
  let reason: string | null = null
  stream.on('error', ({ message }) => {
    reason = message
  })
  return { input: stream, output: stream, failure: async () => reason, close: () => stream.destroy() }
}

function program(name: string, args: readonly string[], debianPackage: string): Decompressor {
  const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(0, 500)
  })
  // What it does not read, it says itself.
  child.stdin.on('error', () => {})
  const missing = new Promise<never>((_, reject) => {
    child.on('error', (error) => {
      child.stdout.destroy()
      const isMissing = 'code' in error && error.code === 'ENOENT'
      reject(
        new LogError(
          isMissing
            ? `the program ${name} is not installed. Install it (apt-get install ${debianPackage}), or decompress the file first`
            : error.message,
        ),
      )
    })
  })
  missing.catch(() => {})
  const ended = new Promise<string | null>((resolve) => {
    child.on('close', (code, signal) => {
      const words = said.trim().split('\n')[0]?.replace(/[.;]$/, '') || `${name} ended with ${code ?? signal}`
      resolve(code === 0 ? null : words)
    })
  })
  const failure = () => Promise.race([ended, missing])
  return { input: child.stdin, output: child.stdout, failure, close: () => void child.kill() }
}

/**
 * What was compressed. Never more than a chunk or two of it is in memory, whatever becomes of a few bytes.
 * @param onDamage is told why not all of it could be read
 */
export async function* decompressed(
  chunks: AsyncIterable<Buffer>,
  compression: Compression,
  onDamage: (reason: string) => void,
): AsyncGenerator<Buffer> {
  const { input, output, failure, close } = compressions[compression].open()
  const feeding = feed(chunks, input)
  feeding.catch(() => {})
  try {
    yield* readToEnd(output)
    const reason = await failure()
    if (reason !== null) onDamage(reason)
    else await feeding
  } finally {
    close()
  }
}

async function feed(chunks: AsyncIterable<Buffer>, input: Writable): Promise<void> {
  let goOn = () => {}
  input.once('close', () => goOn())
  try {
    for await (const chunk of chunks) {
      // Until it has been taken: what is decoded of the last chunk would be lost where the end comes with it.
      await new Promise<void>((resolve) => {
        goOn = resolve
        input.write(chunk, () => resolve())
      })
      if (input.destroyed) return
    }
    input.end()
  } catch (error) {
    input.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** Also what was decoded before an error, which a stream's own iterator would throw away. */
async function* readToEnd(output: Readable): AsyncGenerator<Buffer> {
  let isOver = false
  let wake = () => {}
  const stop = () => {
    isOver = true
    wake()
  }
  output
    .on('readable', () => wake())
    .on('end', stop)
    .on('error', stop)
    .on('close', stop)
  for (;;) {
    const chunk: Buffer | null = output.read()
    if (chunk !== null) yield chunk
    else if (isOver) return
    else
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}
