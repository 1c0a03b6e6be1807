// `lookup import users|apps URL --ids 1-200000`: copies the rows of an old service into a file, and imports
// that.

import type { Config } from '../../config.ts'
import { type ImportFlags, runImport } from '../../data/import/command.ts'
import type { Relation } from '../../data/relation.ts'
import type { OldServiceLocation } from '../../database-location.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observation.ts'
import { ours } from '../../stores/database-errors.ts'
import { isRedirection } from '../../stores/old-service/failure.ts'
import { openOldServiceStore } from '../../stores/old-service/store.ts'
import { CommandError, Interrupted } from '../../terminal/command-error.ts'
import { onInterrupt } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import { count } from '../../text.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import { CutShort, closeCopy, copyRows, openCopy, removeCopy } from './copy.ts'
import { type Ranges, sizeOf } from './id-ranges.ts'

export interface CopyFlags {
  readonly ids: Ranges
  /** Calls a second. */
  readonly rate: number
  readonly state: string
}

/** @param old the service that the rows come from; `config` says where they go */
export async function runImportFromOld(
  config: Config,
  relation: Relation,
  old: OldServiceLocation,
  flags: ImportFlags & CopyFlags,
): Promise<void> {
  const { ids, rate, state } = flags
  ours(config.database)
  const { name } = relation
  const task = { state, name, url: old.url, ids }
  const copy = openCopy(task)
  const { asked } = copy.position
  if (asked > 0) process.stderr.write(`Resuming from ${state}: ${count(asked)} ids have been asked for.\n`)
  process.stderr.write(
    `Copying ${name} from ${old.url}: ${count(sizeOf(ids))} ids, ${old.maxValues} in a call, ${rate} calls a second, one at a time.\n`,
  )
  if (name === 'users') process.stderr.write('No answer tells chat identifiers: chatId stays empty.\n')

  let reason = ''
  let isRedirected = false
  const noteFailure: Observe = (observation) => {
    if (observation.type === 'store-failed' && observation.error instanceof Error) {
      reason = observation.error.message
      isRedirected = isRedirection(observation.error)
    }
  }
  // One call for each list of ids, which is what --rate counts.
  const store = openOldServiceStore({ ...old, connections: 1, timeout: CALL_TIMEOUT_MS }, noteFailure, {
    maxSplitCalls: 0,
    refusesRows: false,
  })
  const { signal, name: signalName, release } = onInterrupt()
  const progress = showProgress(name, sizeOf(ids), asked)
  const again = `The state is in ${state}: the same command goes on from there.`
  try {
    const onProgress = (done: number, rows: number) => progress.update(done, `${count(rows)} ${name}`)
    const options = { ...task, store, perCall: old.maxValues, rate, signal, onProgress }
    const rows = await copyRows(copy, options)
    if (rows === 0) throw new CommandError(`There are no ${name} under these ids: nothing was imported.`)
  } catch (error) {
    closeCopy(copy)
    if (signal.aborted) throw new Interrupted(`Interrupted; nothing was imported. ${again}`, signalName())
    if (error instanceof CutShort) throw new CommandError(`Nothing was imported: ${error.message} ${again}`)
    if (isRedirected && copy.position.asked === 0) {
      // Another address is another copy.
      removeCopy(copy, state)
      throw new CommandError(`Nothing was imported: ${reason}.`)
    }
    if (error instanceof LookupError)
      throw new CommandError(`Nothing was imported: ${reason}.${hintFor(reason)} ${again}`)
    throw error
  } finally {
    release()
    progress.stop()
  }
  try {
    await runImport(config, relation, copy.file, { ...flags, format: 'jsonl' })
  } finally {
    closeCopy(copy)
  }
  removeCopy(copy, state)
}

function hintFor(reason: string): string {
  if (/status 40[13]\b/.test(reason))
    return ' Give it a login, https://USER:PASSWORD@…, or a header with --header.'
  return /status 4/.test(reason)
    ? ' Perhaps its lists are limited: "lookup probe" finds out, and DATABASE_MAX_VALUES keeps to it. Or it refuses lists with an unknown id: name those that are there with --ids.'
    : ''
}
