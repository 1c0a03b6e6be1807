// What stands between the values of a JSON answer.

import type { Dialect } from '../../../../settings.ts'

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
  if (jsonFlags.includes('pretty')) {
    const line = (depth: number) => `\n${'    '.repeat(depth)}`
    return {
      open: line,
      close: (depth) => line(depth - 1),
      next: (depth) => `,${line(depth)}`,
      colon: ': ',
      end,
    }
  }
  const blank = jsonFlags.includes('spaced') ? ' ' : ''
  return { open: () => '', close: () => '', next: () => `,${blank}`, colon: `:${blank}`, end }
}
