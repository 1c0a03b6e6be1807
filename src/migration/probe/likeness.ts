// How alike two responses are: the score that the search climbs. Reads any text, also JSON and XML that are not
// well-formed.

import { readReferences } from '../../html-text.ts'

/** A response as a list of values, each with the names that lead to it. */
export interface Leaves {
  readonly status: number
  readonly leaves: readonly string[]
}

/** The likeness of two responses that say the same. */
export const SAME = 1000

/** Characters of a text that is read: a list of 60 rows has 20,000. */
const MAX_LENGTH = 300_000

export function leavesOf(status: number, text: string): Leaves {
  if (text.length > MAX_LENGTH) return { status, leaves: [text] }
  const body = text.replace(/^\ufeff/, '')
  return { status, leaves: /^\s*</.test(body) ? xmlLeaves(body) : jsonLeaves(body) }
}

function jsonLeaves(text: string): string[] {
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))
  if (start === -1) return [text.trim()]
  try {
    const leaves = [...leavesOfValue(JSON.parse(text.slice(start, end + 1)), '')]
    const around = text.slice(0, start) + text.slice(end + 1).trim()
    return around === '' ? leaves : [around, ...leaves]
  } catch {
    return [text.trim()]
  }
}

function* leavesOfValue(value: unknown, path: string): Generator<string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (members.length === 0) yield `${path}\0${JSON.stringify(value)}`
  for (const [name, member] of members) yield* leavesOfValue(member, `${path}\0${name}`)
}

const token = /<\?[^<>]*\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s<>/]+)([^<>]*?)(\/?)>|([^<]+)/g

function xmlLeaves(text: string): string[] {
  // The search for the ends of sections that have none would take quadratic time.
  if (text.indexOf(']]>', text.lastIndexOf('<![CDATA[')) === -1 && text.includes('<![CDATA[')) return [text]
  const leaves: string[] = []
  const path: string[] = []
  let content = ''
  let isLeaf = false
  for (const [, cdata, isEnd, name = '', attributes = '', isEmpty, plain] of text.matchAll(token)) {
    if (cdata !== undefined) content += cdata
    else if (plain !== undefined) content += readReferences(plain)
    else if (name !== '') {
      if (!isEnd) path.push(name + attributesIn(attributes))
      if ((isEnd && isLeaf) || isEmpty) leaves.push(`${path.join('\0')}\0${isEmpty ? '' : content}`)
      if (isEnd || isEmpty) path.pop()
      isLeaf = !isEnd && !isEmpty
      content = ''
    }
  }
  return leaves
}

function attributesIn(text: string): string {
  const attributes = [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  return attributes.map(([, name, one, other]) => ` ${name}=${readReferences(one ?? other ?? '')}`).join('')
}

/** From 0 to SAME. A value that stands in another place counts half. */
export function likeness(one: Leaves, other: Leaves): number {
  const isSame =
    one.leaves.length === other.leaves.length && one.leaves.every((leaf, at) => leaf === other.leaves[at])
  const most = Math.max(one.leaves.length, other.leaves.length, 1)
  const inPlace = common(one.leaves, other.leaves)
  const anywhere = common(one.leaves.map(lastOf), other.leaves.map(lastOf))
  const shared = isSame ? SAME : Math.floor((600 * inPlace + 300 * anywhere) / most)
  if (one.status === other.status) return 100 + Math.floor(0.9 * shared)
  // A refusal is more like a refusal of another status than like entries.
  return (shared >> 1) + (one.status >= 400 && other.status >= 400 ? 50 : 0)
}

/** A value and the name before it. */
function lastOf(leaf: string): string {
  const end = leaf.lastIndexOf('\0')
  return end < 1 ? leaf : leaf.slice(leaf.lastIndexOf('\0', end - 1) + 1)
}

function common(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const leaf of one) counts.set(leaf, (counts.get(leaf) ?? 0) + 1)
  let shared = 0
  for (const leaf of other) {
    const left = counts.get(leaf) ?? 0
    if (left > 0) shared++
    counts.set(leaf, left - 1)
  }
  return shared
}

/** How many characters two texts have in common at their starts and at their ends. */
export function sharedEnds(one: string, other: string): { readonly start: number; readonly end: number } {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one.charCodeAt(start) === other.charCodeAt(start)) start++
  let end = 0
  while (
    end < most - start &&
    one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  )
    end++
  return { start, end }
}
