import { ownCopy } from '../../text.ts'
import { legacyCallOf } from '../access-log/legacy.ts'
import { parseLogLine } from '../access-log/line.ts'
import { readLogLines } from '../access-log/read.ts'
import { listOf } from '../cli-options.ts'
import type { Ledger } from './ledger.ts'
import type { Lines } from './settled.ts'

/** Distinct requests, and characters of them, that are counted in memory before they go to the disk. */
const BUNCH = { requests: 50_000, characters: 8 * 1024 * 1024 }

/**
 * Counts the distinct legacy requests of a log.
 * @param path where the legacy interface is, on the server whose log it is
 * @param onProgress is told the bytes and the lines read so far
 * @throws LogError
 */
export async function readLogInto(
  ledger: Ledger,
  {
    files,
    path,
    signal,
    onProgress,
  }: {
    readonly files: readonly string[]
    readonly path: string
    readonly signal: AbortSignal
    readonly onProgress: (bytes: number, lines: number) => void
  },
): Promise<void> {
  ledger.clear()
  const lines: Record<keyof Lines, number> = {
    legacy: 0,
    unreadable: 0,
    'other method': 0,
    'other path': 0,
    'no lookup': 0,
  }
  let counts = new Map<string, number>()
  let characters = 0
  let read = 0

  const paths = listOf(path)
  function count(query: string): void {
    const before = counts.get(query)
    if (before !== undefined) counts.set(query, before + 1)
    else {
      counts.set(ownCopy(query), 1)
      characters += query.length
    }
  }

  for await (const bunch of readLogLines(files, (bytes) => onProgress(bytes, read), signal)) {
    signal.throwIfAborted()
    for (const line of bunch) {
      if (line.trim() === '') continue
      read++
      const call = legacyCallOf(parseLogLine(line), paths)
      if (typeof call === 'string') lines[call]++
      else {
        lines.legacy++
        count(call.query)
      }
    }
    if (counts.size < BUNCH.requests && characters < BUNCH.characters) continue
    ledger.add(counts)
    counts = new Map()
    characters = 0
  }
  signal.throwIfAborted()
  ledger.add(counts)
  ledger.finishReading(lines)
}
