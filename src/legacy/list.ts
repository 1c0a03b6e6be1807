// The list of values: text → values.

import type { Dialect } from './dialect.ts'

/** Splits a list. A list of more than `most` values may end early, with one value more than that. */
type SplitList = (list: string, most: number) => string[]

export function listSplitter({ commas, trim, emptyValues, repeatedValues }: Dialect['read']): SplitList {
  if (!commas && !trim && emptyValues === 'drop' && repeatedValues === 'once') return distinctValues
  const separator = commas ? /[:,]/ : ':'
  return (list) => {
    if (list === '') return []
    let values = list.split(separator)
    // The split of Java, Perl and Ruby does this by itself, before a service can trim what it returns.
    if (emptyValues === 'drop at the end')
      values = values.slice(0, values.findLastIndex((value) => value !== '') + 1)
    if (trim) values = values.map(trimmed)
    if (emptyValues === 'drop') values = values.filter((value) => value !== '')
    return repeatedValues === 'once' ? [...new Set(values)] : values
  }
}

/** The characters that PHP's trim() removes. */
const BLANKS = ' \t\n\r\0\v'

function trimmed(text: string): string {
  let start = 0
  while (start < text.length && BLANKS.includes(text.charAt(start))) start++
  return withoutEnd(text.slice(start), BLANKS)
}

/**
 * A text without these characters at its end. A regex takes quadratic time on a run of blanks: 3 s for the
 * 60 KB that a request may have.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/**
 * The default: the values without empty and repeated ones. A list may have 30,000 values, so it is read only
 * up to the first value that is too many.
 */
function distinctValues(list: string, most: number): string[] {
  const distinct = new Set<string>()
  for (let start = 0; start < list.length && distinct.size <= most; ) {
    const colon = list.indexOf(':', start)
    const end = colon === -1 ? list.length : colon
    if (end > start) distinct.add(list.slice(start, end))
    start = end + 1
  }
  return [...distinct]
}
