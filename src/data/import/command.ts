// `lookup import users|apps FILE|-` reads the flags, and reports the outcome.

import type { Config } from '../../config/config.ts'
import type { OwnDatabase } from '../../config/database.ts'
import { ours, unusableDatabase } from '../../stores/database-errors.ts'
import { UnknownOutcome } from '../../stores/importer.ts'
import { WrongUrl } from '../../stores/servers/errors.ts'
import { CommandError, InterruptError, UsageError } from '../../terminal/command-error.ts'
import { sizeOfFiles } from '../../terminal/files.ts'
import { onInterrupt } from '../../terminal/interrupt.ts'
import { showProgress } from '../../terminal/progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { count, counted } from '../../text.ts'
import type { Relation } from '../relation.ts'
import { type FileFormat, fileFormats, type ImportReport, importFile } from './import-file.ts'
import { FileError } from './lines.ts'
import { RejectsError, refuseOtherFiles } from './rejects.ts'

export interface ImportFlags {
  readonly format?: FileFormat
  readonly replace?: true
  readonly skipInvalid?: string
  /** A character, or `tab`. */
  readonly delimiter?: string
  /** Names, with commas between them; `true` for all unknown columns. */
  readonly ignoreColumns?: string | true
}

/** The service that rows were copied from, and a file with the ids that the copy left out. */
interface CopySource {
  readonly url: string
  readonly leftOut: { readonly file: string; readonly count: number }
}

export async function runImport(
  terminal: Terminal,
  config: Config,
  relation: Relation,
  file: string,
  flags: ImportFlags & { readonly copied?: CopySource },
): Promise<void> {
  const { copied } = flags
  const format = chooseFormat(file, flags.format)
  const delimiter = delimiterOf(flags, format)
  const size = sizeOfFiles([file])
  const database = ours(config.database)
  if (flags.skipInvalid !== undefined) {
    const data = database.kind === 'sqlite' ? ['', '-wal', '-shm'].map((end) => database.path + end) : []
    refuseOtherFiles(flags.skipInvalid, [file, ...data])
  }
  const interrupt = onInterrupt(terminal)
  // Reading is the first half of the work, and moving rows into the table the second.
  const progress = showProgress(terminal, relation.name, size === null ? null : 2 * size)
  const started = performance.now()
  const report = await importFile({
    database,
    relation,
    file: file === '-' ? terminal.stdin : file,
    format,
    delimiter,
    // Spreadsheets write an empty column as a delimiter at the end of each line.
    ignored: flags.ignoreColumns === true || ['', ...(flags.ignoreColumns?.split(',') ?? [])],
    replace: flags.replace ?? false,
    rejects: flags.skipInvalid ?? null,
    leftOut: copied?.leftOut,
    onProgress: (bytes, rows) => progress.update(bytes, counted(rows, 'row')),
    onMove: (share, step) => progress.update((size ?? 0) * (1 + share), step),
    signal: interrupt.signal,
  })
    .catch((error: unknown) => {
      const unknown = error instanceof UnknownOutcome ? error.message : null
      if (interrupt.signal.aborted)
        throw new InterruptError(unknown ?? 'Interrupted. Nothing was changed.', interrupt.name())
      if (error instanceof WrongUrl) throw unusableDatabase(database, error)
      throw new CommandError(
        unknown ?? `Import failed. Nothing was changed. ${reasonOf(error, file, database)}`,
      )
    })
    .finally(() => {
      progress.stop()
      interrupt.release()
    })

  if (!report.committed) throw new CommandError(describeFailure(report, relation, file, copied))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  terminal.stdout.write(`Imported ${counted(report.rows, relation.name.slice(0, -1))} in ${seconds} s.\n`)
  if (report.invalid > 0)
    terminal.stdout.write(
      `Skipped ${counted(report.invalid, 'invalid row')}. The reasons are in ${flags.skipInvalid}.\n`,
    )
}

function describeFailure(
  { invalid, problems, replaceable }: ImportReport,
  { name }: Relation,
  file: string,
  copied: CopySource | undefined,
): string {
  const more = invalid - problems.length
  const origin = copied === undefined ? `in ${file}` : `from ${copied.url}`
  const hint =
    copied === undefined
      ? `Fix ${invalid === 1 ? 'it' : 'them'}, or import the valid rows, and write the others to a new file, with --skip-invalid FILE.`
      : `Import the valid rows with --skip-invalid FILE: the copied rows are kept. Or run "lookup probe ${copied.url}" to see how this service differs.`
  return [
    `Import failed: ${counted(invalid, 'invalid row')} ${origin}. Nothing was changed.`,
    ...problems.map((problem) => `  ${problem}`),
    ...(more > 0 ? [`  … and ${count(more)} more`] : []),
    ...(replaceable ? [`The database has ${name} already: to replace them all, add --replace.`] : []),
    hint,
  ].join('\n')
}

function reasonOf(error: unknown, file: string, database: OwnDatabase): string {
  if (error instanceof FileError) return `${file}, ${error.message}.`
  return error instanceof RejectsError ? error.message : unusableDatabase(database, error).message
}

/** `.json` is read as JSON Lines; if the file has an array, the error says what to do. */
const extensions: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'jsonl',
}

function chooseFormat(file: string, flag: FileFormat | undefined): FileFormat {
  const format = flag ?? extensions[/\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? '']
  if (format !== undefined) return format
  const allowed = Object.keys(fileFormats).join(' or ')
  throw new UsageError(`Cannot tell the format of ${file} by its name. Add --format ${allowed}.`)
}

function delimiterOf({ delimiter }: ImportFlags, format: FileFormat): string | null {
  if (delimiter === undefined) return null
  if (format !== 'csv') throw new UsageError('--delimiter is for CSV. Leave it out for JSON Lines.')
  const character = delimiter === 'tab' || delimiter === '\\t' ? '\t' : delimiter
  if (/^[^"\r\n\ufeff]$/.test(character)) return character
  throw new UsageError(`--delimiter cannot be "${delimiter}". Use one character, such as ";", or tab.`)
}
