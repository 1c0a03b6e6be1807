// How an old service writes its errors: the template of one, found by what differs in another.

import { MAX_TEMPLATE_LENGTH, onOneLine, parseTemplate } from '../../../error-template.ts'
import { parse } from './error-in.ts'

/** A text in an error, or a number. */
interface Leaf {
  /** Of the member or the element that it is in. */
  readonly name: string
  readonly value: string | number
  readonly start: number
  readonly end: number
}

interface Seen {
  readonly status: number
  readonly text: string
}

/** @param other one with another text, where there is one. @returns `null` where no template is like it */
export function shapeOf(one: Seen, other: Seen | null): string | null {
  if (one.text.length > MAX_TEMPLATE_LENGTH) return null
  const beside = other === null || other.text.length > MAX_TEMPLATE_LENGTH ? null : other
  const shape = /^\s*[{<]/.test(one.text) ? shapeOfLeaves(one, beside) : shapeOfText(one.text, beside?.text)
  return shape !== null && parseTemplate(shape) !== null ? shape : null
}

/** What errors begin with is theirs where it ends in a colon: other words are the text's own. */
function shapeOfText(text: string, other: string | undefined): string | null {
  const end = /\s*$/.exec(text.slice(-20))?.[0] ?? ''
  const colon = /^[^:]{1,60}:\s+/.exec(text)?.[0] ?? ''
  const before = other?.startsWith(colon) ? colon : ''
  return text.trim() === '' ? null : onOneLine(`${before}{message}${end}`)
}

function shapeOfLeaves({ text, status }: Seen, other: Seen | null): string | null {
  const leavesIn = text.trimStart().startsWith('<') ? leavesOfMarkup : leavesOfJson
  const leaves = leavesIn(text)
  if (leaves === null) return null
  const others = other === null ? null : leavesIn(other.text)
  const isComparable = others !== null && others.length === leaves.length
  const differing = isComparable ? leaves.filter(({ value }, at) => others[at]?.value !== value) : []
  const texts = (differing.length > 0 ? differing : leaves).filter(({ value }) => typeof value === 'string')
  const message =
    texts.find(({ name }) => /message/i.test(name)) ??
    texts.find(({ name }) => /^(?:errors?|details?|description|reason|text|title|msg)$/i.test(name)) ??
    (differing.length > 0 ? texts.find(({ name }) => !/code/i.test(name)) : undefined)
  const placeOf = (leaf: Leaf) => {
    if (leaf === message) return '{message}'
    if (/code/i.test(leaf.name) && differing.includes(leaf) && typeof leaf.value === 'string') return '{code}'
    return leaf.value === status || leaf.value === String(status) ? '{status}' : null
  }
  let shape = ''
  let done = 0
  for (const leaf of leaves) {
    const place = placeOf(leaf)
    if (place === null) continue
    shape += text.slice(done, leaf.start) + place
    done = leaf.end
  }
  return onOneLine(shape + text.slice(done))
}

/** `null` where it is no JSON. Strings without their quotation marks. */
function leavesOfJson(text: string): Leaf[] | null {
  const answer = parse(text)
  if (typeof answer !== 'object' || answer === null) return null
  const leaves: Leaf[] = []
  let name = ''
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g)) {
    const value = parse(colon === undefined ? token : token.slice(0, -colon.length))
    if (typeof value === 'number') leaves.push({ name, value, start: index, end: index + token.length })
    if (typeof value !== 'string') continue
    if (colon === undefined) leaves.push({ name, value, start: index + 1, end: index + token.length - 1 })
    else name = value
  }
  return leaves
}

function leavesOfMarkup(text: string): Leaf[] {
  return [...text.matchAll(/<(\w+)>([^<>]*[^<>\s][^<>]*)<\/\1>/g)].map(
    ({ 1: name = '', 2: value = '', index }) => {
      const start = index + name.length + 2
      return { name, value, start, end: start + value.length }
    },
  )
}
