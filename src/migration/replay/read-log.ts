// Counts the distinct lookups of logs in the state file. Each run reads the logs again, since a log may have
// grown: new requests are added, and requests that were compared keep their verdicts.

import { copyOf } from '../../text.ts'
import { LogAccount, unreadFiles } from '../logs/account.ts'
import { hasRawBytes } from '../logs/legacy.ts'
import { LogError } from '../logs/lines.ts'
import { type LookupsOptions, readLookups } from '../logs/lookups.ts'
import type { Ledger } from './ledger.ts'

/** Distinct requests, and their characters, that are counted in memory before they are written. */
const BATCH = { requests: 50_000, characters: 8 * 1024 * 1024 }

interface ReadOptions extends Omit<LookupsOptions, 'heads'> {
  /** Earlier requests are not counted: milliseconds since 1970. */
  readonly since?: number | undefined
}

/**
 * @returns whether the logs begin as they did when they were read first
 * @throws LogError also if nothing was read of one of the files: nothing would be proven about it
 */
export async function readLogInto(ledger: Ledger, options: ReadOptions): Promise<boolean> {
  ledger.startReading()
  const { signal, since } = options
  const known = ledger.heads()
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
    if (counts.size < BATCH.requests && characters < BATCH.characters) return
    ledger.count(counts)
    counts = new Map()
    characters = 0
  }

  const heads = await readLookups({ ...options, heads: known }, account, (call, { method, target, time }) => {
    if (since !== undefined && isBefore(since, time)) account.skip('earlier', target, method)
    else if (call.posted) account.skip('POST lookup', target, method)
    else if (hasRawBytes(call.query)) account.skip('raw bytes', target, method)
    else count(call.query)
  })
  signal.throwIfAborted()
  if (known.some(({ hash }, at) => hash !== heads[at]?.hash)) return false
  const log = account.summary()
  const unread = unreadFiles(log)
  if (unread.length > 0) throw new LogError(`Nothing was sent. ${unread.join('\n')}`)
  ledger.count(counts)
  ledger.finishReading(log, heads)
  return true
}

/** @throws LogError */
function isBefore(since: number, time: number | null): boolean {
  if (time !== null) return time < since
  throw new LogError('Nothing was sent. --since needs times, and a lookup in the log has none.')
}
