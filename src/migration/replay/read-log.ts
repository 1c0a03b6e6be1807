import { copyOf } from '../../text.ts'
import { Account } from '../logs/account.ts'
import { unreadFiles } from '../logs/describe.ts'
import { hasRawBytes } from '../logs/legacy.ts'
import { LogError, type LogHead, readHead } from '../logs/lines.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import type { Ledger } from './ledger.ts'

/** Distinct requests, and their characters, that are counted in memory before they are written. */
const BATCH = { requests: 50_000, characters: 8 * 1024 * 1024 }

interface ReadOptions extends LookupsOptions {
  /** Earlier requests are not counted: milliseconds since 1970. */
  readonly since?: number | undefined
}

/**
 * Counts the distinct legacy requests of logs.
 * @throws LogError also if nothing was read of one of the files: nothing would be proven about it
 */
export async function readLogInto(ledger: Ledger, options: ReadOptions): Promise<void> {
  ledger.clear()
  const { signal, since } = options
  const account = new Account()
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
    else count(query)
    if (counts.size < BATCH.requests && characters < BATCH.characters) return
    ledger.add(counts)
    counts = new Map()
    characters = 0
  })
  signal.throwIfAborted()
  const log = account.summary()
  const unread = unreadFiles(log)
  if (unread.length > 0) throw new LogError(`Nothing was sent. ${unread.join('\n')}`)
  ledger.add(counts)
  ledger.finishReading(log, heads)
}

/** @throws LogError */
function isBefore(since: number, time: number | null): boolean {
  if (time !== null) return time < since
  throw new LogError('Nothing was sent. --since needs times, and a lookup in the log has none.')
}

/**
 * Whether the logs begin as the logs that were read before. A log may have grown since, and standard input
 * has no name that tells one log from another.
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
