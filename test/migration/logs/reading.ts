import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { LogAccount, type LogSummary } from '../../../src/migration/logs/account.ts'
import type { LegacyCall } from '../../../src/migration/logs/legacy.ts'
import { readLookups } from '../../../src/migration/logs/lookups.ts'
import type { LoggedRequest } from '../../../src/migration/logs/request.ts'
import { temporaryFolder } from '../../kit/gateway.ts'

interface ReadLog {
  readonly lookups: (LegacyCall & LoggedRequest)[]
  readonly log: LogSummary
  /** The messages for the operator. */
  readonly said: string[]
}

interface ReadOptions {
  readonly format?: string
  readonly paths?: readonly string[]
}

/** Reads files as `census` and `replay` do. */
export async function readFiles(
  files: readonly string[],
  { format, paths = ['/'] }: ReadOptions = {},
): Promise<ReadLog> {
  const lookups: ReadLog['lookups'] = []
  const said: string[] = []
  const account = new LogAccount()
  const withoutFolders = (message: string) =>
    files.reduce((text, file) => text.replaceAll(`${dirname(file)}/`, ''), message)
  const options = {
    files,
    paths,
    format,
    terminal: { stdin: Readable.from([]) },
    signal: new AbortController().signal,
    onProgress: () => {},
    say: (message: string) => void said.push(withoutFolders(message)),
  }
  await readLookups(options, account, (call, request) => void lookups.push({ ...call, ...request }))
  return { lookups, log: account.summary(), said }
}

/** Reads a log `a.log` with these lines or bytes. */
export async function readLog(
  content: string | Buffer | readonly string[],
  options: ReadOptions = {},
): Promise<ReadLog> {
  const folder = temporaryFolder()
  const file = join(folder.path, 'a.log')
  const isLines = typeof content !== 'string' && !Buffer.isBuffer(content)
  writeFileSync(file, isLines ? `${content.join('\n')}\n` : content)
  try {
    return await readFiles([file], options)
  } finally {
    folder.remove()
  }
}
