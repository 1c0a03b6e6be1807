// Two long texts that differ, cut so that the place where they begin to differ is seen in both.

import { visible } from '../../text.ts'

/** Characters before the first difference: enough to see where it is. */
const BEFORE = 12

/**
 * Both in one line, and no longer than so many characters. A text that is cut says so with `…` at that end.
 * Takes no more of a text than it shows, and the time to find the first difference.
 */
export function excerptsOf(old: string, gateway: string, length: number): readonly [string, string] {
  const start = startOf(old, gateway, length)
  return [excerpt(old, start, length), excerpt(gateway, start, length)]
}

/**
 * Where two texts begin to differ; the length of the shorter one, where one is the beginning of the other.
 */
export function firstDifference(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function startOf(old: string, gateway: string, length: number): number {
  if (old.length <= length && gateway.length <= length) return 0
  const at = firstDifference(old, gateway)
  // What is seen without a cut at the beginning is not cut there.
  return at + BEFORE < length / 2 ? 0 : Math.max(0, at - BEFORE)
}

function excerpt(text: string, start: number, length: number): string {
  const shown = text.slice(start, start + 2 * length).toWellFormed()
  const characters = [...visible(shown.replace(/\s+/g, ' '))]
  const before = start > 0 ? '…' : ''
  const room = length - before.length
  const isWhole = characters.length <= room && start + 2 * length >= text.length
  return before + (isWhole ? characters.join('') : `${characters.slice(0, room - 1).join('')}…`)
}
