import type { LegacyCall } from '../../../src/migration/access-log/legacy.ts'
import type { LoggedRequest } from '../../../src/migration/access-log/line.ts'
import { readLookups } from '../../../src/migration/access-log/lookups.ts'
import { createTally, type LogSummary } from '../../../src/migration/access-log/tally.ts'

export interface ReadLog {
  readonly lookups: (LegacyCall & LoggedRequest)[]
  readonly log: LogSummary
  /** What the operator was told. */
  readonly said: string[]
}

/** Reads files as `census` and `replay` do. */
export async function readFiles(
  files: readonly string[],
  { format, paths = ['/'] }: { readonly format?: string; readonly paths?: readonly string[] } = {},
): Promise<ReadLog> {
  const lookups: ReadLog['lookups'] = []
  const said: string[] = []
  const tally = createTally()
  const options = {
    files,
    paths,
    format,
    signal: new AbortController().signal,
    onProgress: () => {},
    say: (message: string) => void said.push(message.replaceAll(/ \/\S+\//g, ' ')),
  }
  await readLookups(options, tally, (call, request) => void lookups.push({ ...call, ...request }))
  return { lookups, log: tally.summary(), said }
}
