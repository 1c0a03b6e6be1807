import type { OpenFormat } from './formats/format.ts'
import { isBinary } from './signatures.ts'

interface Unread {
  readonly lines: number
  readonly tooLong: number
  /** The first line. */
  readonly first: string
  readonly open: Pick<OpenFormat, 'name'> | null
  /** Whether the operator has described the lines. */
  readonly isGiven: boolean
  /** Whether no line has said yet what the others are. */
  readonly lacksFields: boolean
}

/** What an operator is told of a file of which no line was read, after its name. */
export function whyUnread({ lines, tooLong, first, open, isGiven, lacksFields }: Unread): string {
  if (lines === 0) return 'is empty'
  if (lines === tooLong) return 'has only lines longer than 256 KiB'
  if (isBinary(first)) return 'is not a text file'
  if (isGiven) return 'has no line that matches --format'
  if (lacksFields)
    return 'has no #Fields line with cs-uri-stem before its lines. Give the log from its beginning, or describe its lines with --format'
  return open === null
    ? 'has no line of a known format. Describe its lines with --format'
    : `has no line that can be read as ${open.name}`
}
