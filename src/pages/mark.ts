// Two texts one below the other, with the part that differs marked.

import { type Html, html } from './html.ts'

/** Characters of each text that are compared and shown. */
const MAX_LENGTH = 2_000

interface TextPair {
  /** The name of each text. */
  readonly names: readonly [string, string]
  readonly old: string
  readonly new: string
}

export function markedPair({ names, ...texts }: TextPair): Html {
  const [old, fresh] = [wordsOf(texts.old), wordsOf(texts.new)]
  const shorter = Math.min(old.length, fresh.length)
  let start = 0
  while (start < shorter && old[start] === fresh[start]) start++
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  return html`<dl class="pair"><dt>${names[0]}</dt><dd>${marked(old, start, end)}</dd>
<dt>${names[1]}</dt><dd>${marked(fresh, start, end)}</dd></dl>`
}

/**
 * Whole words, because a marked part of a number is hard to read. A word has letters, digits, and both halves
 * of a character beyond 16 bits; any other character stands alone.
 */
function wordsOf(text: string): readonly string[] {
  return text.slice(0, MAX_LENGTH).match(/[\w\u0080-\uffff]+|./gs) ?? []
}

/** @param start words that both texts begin with @param end words that both end with */
function marked(words: readonly string[], start: number, end: number): Html {
  if (words.length === 0) return html`<span class="faint">(nothing)</span>`
  const textOf = (from: number, to: number) => words.slice(from, to).join('')
  const differs = textOf(start, words.length - end)
  const mark = differs === '' ? '' : html`<mark>${differs}</mark>`
  return html`<code>${textOf(0, start)}${mark}${textOf(words.length - end, words.length)}</code>`
}
