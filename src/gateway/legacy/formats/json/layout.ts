// What stands between the values of a JSON answer.

import type { Dialect } from '../../../../settings.ts'
import { indentOf } from '../../habits/json-layout.ts'

export interface Layout {
  /**
   * After an opening bracket, before the closing one, and between two members, by the depth of the members.
   */
  readonly open: (depth: number) => string
  readonly close: (depth: number) => string
  readonly next: (depth: number) => string
  readonly colon: string
  /** After the answer. */
  readonly end: string
}

export function layoutOf({ jsonFlags }: Pick<Dialect, 'jsonFlags'>): Layout {
  const end = jsonFlags.includes('newline') ? '\n' : ''
  const indent = indentOf(jsonFlags)
  const blank = jsonFlags.includes('spaced') ? ' ' : ''
  // Where lines are indented, Python before 3.4 and Flask leave the blank at the end of a line.
  const line = (depth: number) => (indent === null ? '' : `\n${indent.repeat(depth)}`)
  return {
    open: line,
    close: (depth) => line(depth - 1),
    next: (depth) => `,${blank}${line(depth)}`,
    colon: `${jsonFlags.includes('spaced-colons') ? ' ' : ''}:${indent === null ? blank : ' '}`,
    end,
  }
}
