import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../clock.ts'

/** The streams, environment and signals of a command: of the process that runs it, or of a test. */
export interface Terminal {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of relative paths and `.env`. Default: the current one. */
  readonly cwd?: string
  /** Aborted by Ctrl-C and the like; the reason is the name of the signal. */
  readonly signal: AbortSignal
  /** Default: the clock of the system. */
  readonly clock?: Clock | undefined
}

/** Whether a terminal shows characters beyond ASCII. Without a locale, most terminals do. */
export function showsUnicode({ env: { LC_ALL, LC_CTYPE, LANG, TERM } }: Terminal): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return TERM !== 'dumb' && (locale === '' || /utf-?8/i.test(locale))
}
