import { copyOf } from '../../text.ts'
import { unreadFiles } from '../access-log/describe.ts'
import type { Skipped } from '../access-log/legacy.ts'
import { type LookupsOptions, readLookups } from '../access-log/lookups.ts'
import { LogError } from '../access-log/read.ts'
import { createTally, type LogSummary } from '../access-log/tally.ts'
import type { Ledger } from './ledger.ts'
import type { Lines } from './settled.ts'

/** Distinct requests, and characters of them, that are counted in memory before they go to the disk. */
const BUNCH = { requests: 50_000, characters: 8 * 1024 * 1024 }

/**
 * Counts the distinct legacy requests of a log.
 * @throws LogError also where nothing was read of one of its files: what was not read is not proven
 */
export async function readLogInto(ledger: Ledger, options: LookupsOptions): Promise<void> {
  ledger.clear()
  const { signal } = options
  const tally = createTally()
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

  await readLookups(options, tally, ({ query, posted }, { target }) => {
    if (posted) tally.skip('POST lookup', `${target} ${query}`, 'POST')
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
  const log = tally.summary()
  const unread = unreadFiles(log)
  if (unread.length > 0) throw new LogError(`Nothing was sent. ${unread.join('\n')}`)
  ledger.add(counts)
  ledger.finishReading(linesOf(legacy, log), log)
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
  }
}
