// How JSON is laid out on lines, and what tells it.

/** What each level adds to the beginning of a line, by the flag for it. */
const indents = { pretty: '    ', 'indent-2': '  ', 'indent-3': '   ', 'indent-tab': '\t' } as const

export const indentFlags = [
  'pretty',
  'indent-2',
  'indent-3',
  'indent-tab',
] as const satisfies readonly (keyof typeof indents)[]
export const layoutFlags = [...indentFlags, 'newline', 'spaced', 'spaced-colons'] as const
type LayoutFlag = (typeof layoutFlags)[number]

/** `null` where all is on one line. */
export function indentOf(set: readonly string[]): string | null {
  const flag = indentFlags.find((one) => set.includes(one))
  return flag === undefined ? null : indents[flag]
}

const ofOthers = ['spaced', 'spaced-colons', 'sorted', ...indentFlags.filter((flag) => flag !== 'pretty')]

/** Whether it is not PHP that writes so: its one layout is `pretty`, and it sorts nothing. */
export function isOfOthers(set: readonly string[]): boolean {
  return ofOthers.some((flag) => set.includes(flag))
}

/** @param text an answer with an entry. No text in it has a line end as it is: JSON escapes them. */
export function layoutFlagsIn(text: string): readonly LayoutFlag[] {
  const [, indent = '', beforeColon = '', afterColon = ''] =
    /^\{(?:\n([ \t]{1,9}))?"[^"]{0,1000}"( ?):( ?)\{/.exec(text) ?? []
  const isSpaced = indent === '' ? afterColon !== '' : /, \n[ \t]*"/.test(text)
  return [
    ...indentFlags.filter((flag) => indents[flag] === indent),
    ...(/[^\n]\n$/.test(text) ? (['newline'] as const) : []),
    ...(isSpaced ? (['spaced'] as const) : []),
    ...(beforeColon === '' ? [] : (['spaced-colons'] as const)),
  ]
}
