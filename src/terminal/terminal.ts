import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../clock.ts'

/** What a command reads and writes: given by the process that runs it, or by a test. */
export interface Terminal {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of relative paths and `.env`, to which the process changes; by default, where it is. */
  readonly cwd?: string
  /** Aborted by Ctrl-C and the like; the reason is the name of the signal. */
  readonly signal: AbortSignal
  /** The clock of its pauses; by default the system's. */
  readonly clock?: Clock | undefined
}

/** Whether it shows characters beyond ASCII; if its locale is not set, most do. */
export function showsUnicode({ env: { LC_ALL, LC_CTYPE, LANG, TERM } }: Terminal): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || ''
  return TERM !== 'dumb' && (locale === '' || /utf-?8/i.test(locale))
}
