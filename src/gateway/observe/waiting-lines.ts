// Lines that wait to be written, put together to chunks of whole lines.

export interface WaitingLines {
  /** Whether the last chunk has room for so many bytes more. */
  readonly hasRoom: (bytes: number) => boolean
  readonly add: (line: string, bytes: number) => void
  /** @returns the next chunk; `null` where no line waits */
  readonly take: () => Buffer | null
  /** How many bytes wait. */
  readonly bytes: () => number
  /** Drops all lines. @returns how many */
  readonly drop: () => number
}

/** @param maxChunk bytes of a chunk, unless one line is longer */
export function createWaitingLines(maxChunk: number): WaitingLines {
  interface Chunk {
    readonly text: string
    readonly lines: number
  }
  let full: Chunk[] = []
  let text = ''
  let lines = 0
  let size = 0
  let total = 0

  /** What has been put together so far. */
  function cut(): Chunk {
    const chunk = { text, lines }
    text = ''
    lines = 0
    size = 0
    return chunk
  }

  const hasRoom = (bytes: number) => size === 0 || size + bytes <= maxChunk

  function add(line: string, bytes: number): void {
    if (!hasRoom(bytes)) full.push(cut())
    text += line
    lines++
    size += bytes
    total += bytes
  }

  function take(): Buffer | null {
    const chunk = Buffer.from((full.shift() ?? cut()).text)
    total -= chunk.length
    return chunk.length === 0 ? null : chunk
  }

  function drop(): number {
    const dropped = [...full, cut()].reduce((sum, chunk) => sum + chunk.lines, 0)
    full = []
    total = 0
    return dropped
  }

  return { hasRoom, add, take, bytes: () => total, drop }
}
