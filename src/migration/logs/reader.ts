// Finds the format of each line. A file may have several, such as those of two programs in one container.

import type { LineReader, LogFormat, LogState } from './request.ts'

/** Docker's JSON around syslog around a time. A wrapper could hold itself for ever. */
const MAX_WRAPPERS = 3

/** Other directives of W3C formats than #Fields say nothing about lines. */
const remark = /^#(?:Software|Version|Date|Start-Date|End-Date|Remark):/i

/**
 * @param formats in their order of trial. A format that has read a line is tried before the others
 * @param onFormat is called with the name of each format that has read a line
 */
export function createLineReader(
  formats: readonly LogFormat[],
  onFormat: (name: string) => void,
  level = 0,
): LineReader {
  let used: readonly LogFormat[] = []
  let inner: LineReader | null = null
  const state: LogState = {
    readInner: (line) => {
      if (level === MAX_WRAPPERS) return 'unreadable'
      inner ??= createLineReader(formats, onFormat, level + 1)
      return inner(line)
    },
    w3c: null,
  }

  return (line) => {
    if (line.startsWith('#') && remark.test(line)) return 'comment'
    let reason: ReturnType<LineReader> = 'unreadable'
    for (const format of used) {
      const result = format.read(line, state)
      if (isRead(result)) return result
      if (result !== 'unreadable') reason = result
    }
    for (const format of formats) {
      if (used.includes(format)) continue
      const result = format.read(line, state)
      if (isRead(result)) {
        used = formats.filter((one) => one === format || used.includes(one))
        if (format.name !== '') onFormat(format.name)
        return result
      }
      // While no format is known, the reason of a format that does not match the line is reported.
      if (used.length === 0 && result !== 'unreadable') reason = result
    }
    return reason
  }
}

const isRead = (result: ReturnType<LineReader>) => typeof result === 'object' || result === 'comment'
