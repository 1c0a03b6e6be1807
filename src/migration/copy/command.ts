// `lookup import users|apps URL --ids 1-200000`: copies the rows of an old service into a file, and imports
// that.

import type { Config } from '../../config/config.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import { type ImportFlags, runImport } from '../../data/import/command.ts'
import { refuseOtherFiles } from '../../data/import/rejects.ts'
import type { Relation } from '../../data/relation.ts'
import { ours } from '../../stores/database-errors.ts'
import { OldServiceError } from '../../stores/old-service/failure.ts'
import { createLookups, createSend } from '../../stores/old-service/lookup.ts'
import { CommandError, InterruptError } from '../../terminal/command-error.ts'
import { onInterrupt } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { count, counted } from '../../text.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import { CopyFailure, copyRows } from './copy.ts'
import { type IdRanges, sizeOf } from './id-ranges.ts'
import { type CopyPosition, openCopy } from './state.ts'

export interface CopyFlags {
  readonly ids: IdRanges
  /** Calls per second. */
  readonly rate: number
  /** The default has the name of the relation, so that two imports may run at a time. */
  readonly state?: string
}

/** @param old the service that the rows come from; `config` has the database that they go to */
export async function runImportFromOld(
  terminal: Terminal,
  config: Config,
  relation: Relation,
  old: OldServiceLocation,
  flags: ImportFlags & CopyFlags,
): Promise<void> {
  const { name } = relation
  const perCall = Math.min(old.maxValues, MAX_IDS_PER_CALL)
  const { ids, rate, skipInvalid, state = `lookup-import-${name}.state` } = flags
  ours(config.database)
  const copy = openCopy(state, name, old.url, ids)
  const { done, skipped } = copy.position
  const again = `Progress is in ${state}. To resume, run the same command again.`
  const probe = `Run "lookup probe ${old.url}" to see how this service differs.`
  if (skipped > 0 && skipInvalid === undefined) {
    copy.close()
    const before = skipped === 1 ? '1 id was' : `${count(skipped)} ids were`
    throw new CommandError(
      `${before} skipped so far. Add --skip-invalid FILE again, or delete ${state} to start over.`,
    )
  }
  if (skipInvalid !== undefined) refuseOtherFiles(skipInvalid, [state])
  if (done > 0) terminal.stderr.write(`Resuming from ${state}: ${count(done)} ids are done.\n`)
  terminal.stderr.write(
    `Copying ${name} from ${old.url}: ${counted(sizeOf(ids), 'id')}, ${perCall} per call, ${rate} calls per second, one at a time.\n`,
  )
  if (name === 'users') terminal.stderr.write('Responses have no chat identifiers: chatId stays empty.\n')

  // One call for each list of ids, which is what --rate counts.
  const lookups = createLookups(old, createSend({ ...old, connections: 1, timeout: CALL_TIMEOUT_MS }))
  const { signal, name: signalName, release } = onInterrupt(terminal)
  const progress = showProgress(terminal, name, sizeOf(ids), done)
  const position = await copyRows(copy, {
    ...{ relation, ids, perCall, rate, signal, clock: terminal.clock },
    lookup: name === 'users' ? lookups.users.ID : lookups.apps,
    skipsInvalid: skipInvalid !== undefined,
    onProgress: (done, rows) => progress.update(done, `${count(rows)} ${name}`),
  })
    .catch((error: unknown) => {
      // The state has the address: if the operator corrects the address, the state would be refused.
      const hasProgress = !copy.isUnbegun()
      if (error instanceof OldServiceError && !hasProgress) copy.remove()
      else copy.close()
      if (signal.aborted) throw new InterruptError(`Interrupted. Nothing was changed. ${again}`, signalName())
      if (error instanceof CopyFailure)
        throw new CommandError(`Import failed: ${error.message} ${probe} ${again}`)
      if (!(error instanceof OldServiceError)) throw error
      const reason = `Import failed: ${error.message}. Nothing was changed.`
      throw new CommandError([reason, hintFor(error, probe), hasProgress ? again : ''].join(' ').trimEnd())
    })
    .finally(() => {
      release()
      progress.stop()
    })
  if (position.rows === 0 && position.skipped === 0) {
    // Users may register with these ids later. A state in which the ids are done would leave these users out.
    copy.remove()
    throw new CommandError(
      `Import failed: the old service has no ${name} with these ids. Nothing was changed.`,
    )
  }
  try {
    await copy.withFiles((rows, skippedFile) => {
      const copied = { url: old.url, leftOut: { file: skippedFile, count: position.skipped } }
      return runImport(terminal, config, relation, rows, { ...flags, format: 'jsonl', copied })
    })
  } catch (error) {
    copy.close()
    throw error
  }
  copy.remove()
  terminal.stdout.write(`${describeExtent(position, ids, name)}\n`)
}

/** Nothing else shows that the ranges end too early: ids may have a gap where they end. */
function describeExtent({ done, rows, skipped, highest }: CopyPosition, ids: IdRanges, name: string): string {
  const missing = done - rows - skipped
  const share = missing === 0 ? 'all' : `${count(rows + skipped)} of the`
  const found = `The old service has ${done === 1 ? 'this id' : `${share} ${count(done)} ids`}. The highest is ${highest}.`
  const last = ids.at(-1)?.[1] ?? 0
  if (last === Number.MAX_SAFE_INTEGER) return found
  return `${found} If there are ${name} above ${count(last)}, import them, too: --ids ${last + 1}-NUMBER.`
}

/** Old servers accept an address with the digits of this many ids. */
const MAX_IDS_PER_CALL = 350

/** The remedy for a failure of the service; empty for a redirection, whose error names the new address. */
function hintFor({ kind, status = 0 }: OldServiceError, probe: string): string {
  if (kind === 'redirected') return ''
  if (kind === 'outage' && status === 0) return 'Check the address, and whether the old service is running.'
  return status === 401 || status === 403
    ? 'Add a login to the address (https://USER:PASSWORD@…) or a header with --header.'
    : probe
}
