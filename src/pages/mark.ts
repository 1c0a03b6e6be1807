// Two texts one below the other, in which the part that differs is marked.

import { type Html, html } from './html.ts'

/** Characters of each that are shown, and compared. */
const MAX_LENGTH = 2_000

interface Pair {
  /** What each is called. */
  readonly names: readonly [string, string]
  readonly old: string
  readonly new: string
}

/** Takes time linear in what is shown. */
export function markedPair({ names, ...texts }: Pair): Html {
  const [old, fresh] = [texts.old.slice(0, MAX_LENGTH), texts.new.slice(0, MAX_LENGTH)]
  const start = startOf(old, fresh)
  const end = endOf(old, fresh, start)
  return html`<dl class="pair"><dt>${names[0]}</dt><dd>${marked(old, start, end)}</dd>
<dt>${names[1]}</dt><dd>${marked(fresh, start, end)}</dd></dl>`
}

function marked(text: string, start: number, end: number): Html {
  if (text === '') return html`<span class="faint">(nothing)</span>`
  const [before, differs, after] = [
    text.slice(0, start),
    text.slice(start, text.length - end),
    text.slice(text.length - end),
  ]
  return html`<code>${before}${differs === '' ? '' : html`<mark>${differs}</mark>`}${after}</code>`
}

/** How much both begin with: whole words, since part of a number is hard to read. */
function startOf(old: string, fresh: string): number {
  const most = Math.min(old.length, fresh.length)
  let at = 0
  while (at < most && old.charCodeAt(at) === fresh.charCodeAt(at)) at++
  if (at === old.length && at === fresh.length) return at
  while (at > 0 && isWithinWord(old, at - 1) && (isWithinWord(old, at) || isWithinWord(fresh, at))) at--
  return at
}

/** How much both end with, beside what they begin with. */
function endOf(old: string, fresh: string, start: number): number {
  const most = Math.min(old.length, fresh.length) - start
  let length = 0
  while (length < most && old.at(-1 - length) === fresh.at(-1 - length)) length++
  const splits = () =>
    isWithinWord(old, old.length - length) &&
    (isWithinWord(old, old.length - length - 1) || isWithinWord(fresh, fresh.length - length - 1))
  while (length > 0 && splits()) length--
  return length
}

/** Letters, digits, and the halves of a character that takes two: these stay together. */
function isWithinWord(text: string, at: number): boolean {
  return /[\w\u0080-\uffff]/.test(text.charAt(at))
}
