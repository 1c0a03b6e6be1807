// Finds the format of each line. A file may have several, such as those of two programs in one container.

import { createMemberReader } from './json.ts'
import type { LineReader, LogFormat } from './request.ts'
import { isRemark } from './w3c.ts'

/** Docker's JSON around syslog around a time. A wrapper could hold itself for ever. */
const MAX_WRAPPERS = 3

/**
 * @param formats in their order of trial. A format that has read a line is tried before the others
 * @param onFormat is called with the name of each format that has read a line
 * @param unfinished collects texts whose last piece has not come
 */
export function createLineReader(
  formats: readonly LogFormat[],
  onFormat: (name: string) => void,
  unfinished: ReadonlyMap<string, string>[],
  level = 0,
): LineReader {
  const closed = formats
    .filter(({ isWrapper = false }) => !isWrapper || level < MAX_WRAPPERS)
    .map((format, order) => ({ format, order, read: lazily(() => open(format)) }))
  const opened: typeof closed = []
  const membersOf = createMemberReader()

  function open({ name, isWrapper = false, open }: LogFormat): LineReader {
    const onInner = (inner: string) => onFormat(name === '' ? inner : `${name} with ${inner}`)
    const readInner = isWrapper
      ? createLineReader(formats, onInner, unfinished, level + 1)
      : () => 'unreadable' as const
    return open({ readInner, membersOf, unfinished })
  }

  return (line) => {
    if (line.startsWith('#') && isRemark(line)) return 'comment'
    let reason: ReturnType<LineReader> = 'unreadable'
    for (const { read } of opened) {
      const result = read(line)
      if (isRead(result)) return result
      if (result !== 'unreadable') reason = result
    }
    for (const [at, one] of closed.entries()) {
      if (!one.format.detect.test(line)) continue
      const result = one.read(line)
      if (isRead(result)) {
        closed.splice(at, 1)
        opened.push(one)
        opened.sort((a, b) => a.order - b.order)
        const { name, isWrapper, isFallback } = one.format
        if (!isWrapper && !(isFallback && opened.length > 1)) onFormat(name)
        return result
      }
      // While no format is known, the reason of a format that does not match the line is reported.
      if (opened.length === 0 && result !== 'unreadable') reason = result
    }
    return reason
  }
}

const isRead = (result: ReturnType<LineReader>) => typeof result === 'object' || result === 'comment'

/** Most formats are never opened. */
function lazily(open: () => LineReader): LineReader {
  let read: LineReader | null = null
  return (line) => {
    read ??= open()
    return read(line)
  }
}
