// JSON whose values know their lines, so that a complaint about a file can say where.

import { CLOSE_LIST, CLOSE_OBJECT, isDeeper, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../../json-depth.ts'

/** A value, and the line that it begins in. */
export type Placed =
  | { readonly kind: 'object'; readonly line: number; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly line: number; readonly items: readonly Placed[] }
  | { readonly kind: 'string'; readonly line: number; readonly text: string }
  /** A number, `true`, `false` or `null`, as it is written. */
  | { readonly kind: 'word'; readonly line: number; readonly text: string }

/** Of a name that occurs twice, there are two. */
export interface Member {
  readonly name: string
  readonly line: number
  readonly value: Placed
}

/** What is wrong in a file, and where. */
export class FileFault extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Levels of lists and objects: a manifest has three. */
const MAX_LEVELS = 10
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = '\\'
const words = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Reads a JSON text in time linear in its length.
 * @param most values that it may have
 * @throws FileFault
 */
export function readPlacedJson(text: string, most: number): Placed {
  if (isDeeper(text, MAX_LEVELS)) throw new FileFault(1, `nested more than ${MAX_LEVELS} levels deep`)
  let at = 0
  let line = 1
  let values = 0

  /** The character that the next token begins with. */
  function peek(): number {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === 0x0a) line++
      else if (code !== 0x20 && code !== 0x0d && code !== 0x09) return code
      at++
    }
  }

  function fail(expected: string): never {
    throw new FileFault(line, `not valid JSON: expected ${expected}`)
  }

  function readValue(): Placed {
    const first = peek()
    if (++values > most) throw new FileFault(line, `more than ${most} values`)
    const begin = line
    if (first === OPEN_OBJECT) {
      const members: Member[] = []
      readAll(CLOSE_OBJECT, () => members.push(readMember()))
      return { kind: 'object', line: begin, members }
    }
    if (first === OPEN_LIST) {
      const items: Placed[] = []
      readAll(CLOSE_LIST, () => items.push(readValue()))
      return { kind: 'list', line: begin, items }
    }
    if (first === QUOTE) return { kind: 'string', line: begin, text: readString() }
    words.lastIndex = at
    const [word] = words.exec(text) ?? fail('a value')
    at += word.length
    return { kind: 'word', line: begin, text: word }
  }

  function readAll(close: number, readOne: () => void): void {
    at++
    if (peek() !== close) {
      for (readOne(); peek() === COMMA; readOne()) at++
      if (peek() !== close) fail(close === CLOSE_LIST ? 'a comma or ]' : 'a comma or }')
    }
    at++
  }

  function readMember(): Member {
    if (peek() !== QUOTE) fail('a name in quotes')
    const begin = line
    const name = readString()
    if (peek() !== COLON) fail('a colon')
    at++
    return { name, line: begin, value: readValue() }
  }

  function readString(): string {
    const start = at
    let end = text.indexOf('"', start + 1)
    while (end !== -1 && isEscaped(end)) end = text.indexOf('"', end + 1)
    if (end === -1) fail('a quote that ends the string')
    at = end + 1
    try {
      return String(JSON.parse(text.slice(start, at)))
    } catch {
      return fail('a valid string')
    }
  }

  function isEscaped(index: number): boolean {
    let before = index
    while (text[before - 1] === BACKSLASH) before--
    return (index - before) % 2 === 1
  }

  const value = readValue()
  if (!Number.isNaN(peek())) fail('the end of the file')
  return value
}
