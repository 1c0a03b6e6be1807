// Counts the distinct lookups of logs in the state file. A log that has grown is read again: new requests are
// added, and those that were compared stay.

import { statSync } from 'node:fs'
import { copyOf } from '../../text.ts'
import { LogAccount } from '../logs/account.ts'
import { unreadFiles } from '../logs/describe.ts'
import { hasRawBytes } from '../logs/legacy.ts'
import { LogError, type LogHead, readHead } from '../logs/lines.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import type { Ledger } from './ledger.ts'

/** Distinct requests, and their characters, that are counted in memory before they are written. */
const BATCH = { requests: 50_000, characters: 8 * 1024 * 1024 }

interface ReadOptions extends Omit<LookupsOptions, 'heads'> {
  /** Earlier requests are not counted: milliseconds since 1970. */
  readonly since?: number | undefined
}

/**
 * @throws LogError also if nothing was read of one of the files: nothing would be proven about it
 * @throws ReplacedLogError if a log does not begin as before; the ledger is as it was then
 */
export async function readLogInto(ledger: Ledger, options: ReadOptions): Promise<void> {
  const { add } = ledger.startReading()
  const { signal, since } = options
  const account = new LogAccount()
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

  const known = { ...options, heads: ledger.heads() }
  const heads = await readLookups(known, account, ({ query, posted }, { method, target, time }) => {
    if (since !== undefined && isBefore(since, time)) account.skip('earlier', target, method)
    else if (posted) account.skip('POST lookup', target, method)
    else if (hasRawBytes(query)) account.skip('raw bytes', target, method)
    else count(query)
    if (counts.size < BATCH.requests && characters < BATCH.characters) return
    add(counts)
    counts = new Map()
    characters = 0
  })
  signal.throwIfAborted()
  const log = account.summary()
  const unread = unreadFiles(log)
  if (unread.length > 0) throw new LogError(`Nothing was sent. ${unread.join('\n')}`)
  add(counts)
  ledger.finishReading(log, heads)
}

/** @throws LogError */
function isBefore(since: number, time: number | null): boolean {
  if (time !== null) return time < since
  throw new LogError('Nothing was sent. --since needs times, and a lookup in the log has none.')
}

/** Whether the logs are surely those that were read before. A pipe may have more lines now. */
export async function isUnchanged(
  ledger: Ledger,
  { files, ...source }: Pick<LookupsOptions, 'files' | 'terminal' | 'signal'>,
): Promise<boolean> {
  const heads = ledger.heads()
  // An edited log may have the same size and the same beginning.
  const started = Date.parse(ledger.started())
  const isSame = async (file: string, { bytes, hash, size }: LogHead) => {
    const stats = file === '-' ? null : statSync(file)
    if (!stats?.isFile() || stats.size !== size || stats.mtimeMs > started) return false
    return (await readHead(file, bytes, source)).hash === hash
  }
  for (const [at, file] of files.entries()) {
    const head = heads[at]
    if (head === undefined || !(await isSame(file, head))) return false
  }
  return true
}
