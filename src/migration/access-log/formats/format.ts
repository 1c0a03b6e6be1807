// A format of access logs.

import type { LoggedRequest, NoRequest } from '../line.ts'

/**
 * Reads the lines of one file, in their order, without a line break at their end. In time linear in the
 * length of a line, whatever the line. @returns `null` for a line that is about no request, such as a header
 */
export type LineReader = (line: string) => LoggedRequest | NoRequest | null

/** Whether a line says nothing in this format. */
export function isUnread(said: ReturnType<LineReader>): said is 'unreadable' | 'no fields' {
  return said === 'unreadable' || said === 'no fields'
}

/** A format as a file has it. */
export interface OpenFormat {
  /** As operators call it. */
  readonly name: string
  /** As that of `LogFormat`. */
  readonly recognises: (line: string) => boolean
  readonly read: LineReader
}

/** Finds the format of lines by a sample of them; `null` where it is none that is known. */
export type Recognise = (sample: readonly string[]) => OpenFormat | null

export interface LogFormat {
  readonly name: string
  /** Whether a line can be told to be of this format. */
  readonly recognises: (line: string) => boolean
  /**
   * @param sample lines at the beginning of a file
   * @param recognise for formats whose lines hold those of another one
   */
  readonly open: (sample: readonly string[], recognise: Recognise) => OpenFormat
}

/** One whose lines stand for themselves. */
export function plainFormat(
  name: string,
  createReader: () => LineReader,
  recognises?: (line: string) => boolean,
): LogFormat {
  const read = createReader()
  const isOne = recognises ?? ((line: string) => read(line) !== 'unreadable')
  return { name, recognises: isOne, open: () => ({ name, recognises: isOne, read: createReader() }) }
}
