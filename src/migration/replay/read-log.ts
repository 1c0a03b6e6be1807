import { copyOf } from '../../text.ts'
import { Account, type LogSummary } from '../logs/account.ts'
import { unreadFiles } from '../logs/describe.ts'
import { hasRawBytes, type Skipped } from '../logs/legacy.ts'
import { LogError, type LogHead, readHead } from '../logs/lines.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import type { Ledger } from './ledger.ts'
import type { Lines } from './settled.ts'

/** Distinct requests, and characters of them, that are counted in memory before they go to the disk. */
const BUNCH = { requests: 50_000, characters: 8 * 1024 * 1024 }

interface ReadOptions extends LookupsOptions {
  /** Earlier requests are not counted: milliseconds since 1970. */
  readonly since?: number | undefined
}

/**
 * Counts the distinct legacy requests of a log.
 * @throws LogError also where nothing was read of one of its files: what was not read is not proven
 */
export async function readLogInto(ledger: Ledger, options: ReadOptions): Promise<void> {
  ledger.clear()
  const { signal, since } = options
  const account = new Account()
  let legacy = 0
  let counts = new Map<string, number>()
  let characters = 0

  function count(query: string): void {
    const before = counts.get(query)
    if (before !== undefined) counts.set(query, before + 1)
    else {
      counts.set(copyOf(query), 1)
      characters += query.length
    }
  }

  const heads = await readLookups(options, account, ({ query, posted }, { method, target, time }) => {
    if (since !== undefined && isBefore(since, time)) account.skip('earlier', target, method)
    else if (posted) account.skip('POST lookup', target, method)
    else if (hasRawBytes(query)) account.skip('raw bytes', target, method)
    else {
      legacy++
      count(query)
    }
    if (counts.size < BUNCH.requests && characters < BUNCH.characters) return
    ledger.add(counts)
    counts = new Map()
    characters = 0
  })
  signal.throwIfAborted()
  const log = account.summary()
  const unread = unreadFiles(log)
  if (unread.length > 0) throw new LogError(`Nothing was sent. ${unread.join('\n')}`)
  ledger.add(counts)
  ledger.finishReading(linesOf(legacy, log), log, heads)
}

/** @throws LogError */
function isBefore(since: number, time: number | null): boolean {
  if (time !== null) return time < since
  throw new LogError('Nothing was sent. --since needs times, and a lookup in the log has none.')
}

/**
 * Whether the logs begin as those that were read before. A log may have grown since; standard input and pipes
 * have no name that tells one log from another.
 * @throws LogError
 */
export async function isSameLog(
  ledger: Ledger,
  { files, ...source }: Pick<LookupsOptions, 'files' | 'terminal' | 'signal'>,
): Promise<boolean> {
  const heads = ledger.heads()
  const isSame = async (file: string, head: LogHead | undefined) =>
    head !== undefined && (await readHead(file, head.bytes, source)).hash === head.hash
  for (const [at, file] of files.entries()) if (!(await isSame(file, heads[at]))) return false
  return true
}

function linesOf(legacy: number, { notCounted }: LogSummary): Lines {
  const lines = (reason: Skipped) => notCounted.find((row) => row.reason === reason)?.lines ?? 0
  return {
    legacy,
    unreadable: lines('unreadable'),
    'no request': lines('no request'),
    'no fields': lines('no fields'),
    'too long': lines('too long'),
    'other method': lines('other method'),
    'other path': lines('other path'),
    'no lookup': lines('no lookup'),
    'POST lookup': lines('POST lookup'),
    'raw bytes': lines('raw bytes'),
    earlier: lines('earlier'),
  }
}
