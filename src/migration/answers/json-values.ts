// A JSON text → its values, with numbers as they are written: a double cannot tell two long ones apart.

import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, isDeeper, OPEN_LIST, OPEN_OBJECT, QUOTE } from '../../json.ts'
import { UnreadableBody } from './meaning.ts'

/** A value that holds no others. The text of a string is without its quotes and escapes. */
export interface Scalar {
  readonly type: 'string' | 'number' | 'boolean' | 'null'
  readonly text: string
}

/** The members of an object by name; of a name that occurs twice, the last one. */
export type Members = ReadonlyMap<string, Json>
export type Json = Scalar | Members | readonly Json[]

/** Shared, since a map takes far more memory than the two characters that stand for it. */
const NO_MEMBERS: Members = new Map()

/** Levels of lists and objects; legacy answers have two. */
const MAX_JSON_DEPTH = 32

const COMMA = 0x2c
const COLON = 0x3a

/**
 * Reads a JSON text in time linear in its length.
 * @throws UnreadableBody if it is not JSON, or nested deeper than 32 levels
 */
export function readJsonValues(text: string): Json {
  checkSyntax(text)
  let at = 0

  /** The character that the next token begins with. */
  function peek(): number {
    while (text.charCodeAt(at) <= 0x20) at++
    return text.charCodeAt(at)
  }

  function skip(separator: number): void {
    if (peek() === separator) at++
  }

  function readValue(): Json {
    const first = peek()
    if (first === OPEN_LIST) return readList()
    if (first === OPEN_OBJECT) return readMembers()
    return first === QUOTE ? { type: 'string', text: readString() } : readWord()
  }

  function readList(): Json[] {
    const items: Json[] = []
    at++
    while (peek() !== CLOSE_LIST) {
      items.push(readValue())
      skip(COMMA)
    }
    at++
    return items
  }

  function readMembers(): Members {
    at++
    if (peek() === CLOSE_OBJECT) {
      at++
      return NO_MEMBERS
    }
    const members = new Map<string, Json>()
    while (peek() !== CLOSE_OBJECT) {
      const name = readString()
      skip(COLON)
      members.set(name, readValue())
      skip(COMMA)
    }
    at++
    return members
  }

  function readString(): string {
    const start = at++
    let escaped = false
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(++at)) {
      if (code !== BACKSLASH) continue
      escaped = true
      at++
    }
    at++
    return escaped ? String(JSON.parse(text.slice(start, at))) : text.slice(start + 1, at - 1)
  }

  /** A number, `true`, `false` or `null`. */
  function readWord(): Scalar {
    const start = at
    while (isOfWord(text.charCodeAt(at))) at++
    const word = text.slice(start, at)
    if (word === 'null') return { type: 'null', text: word }
    return { type: word === 'true' || word === 'false' ? 'boolean' : 'number', text: word }
  }

  return readValue()
}

/** The reader relies on the syntax: it only looks for where values begin and end. */
function checkSyntax(text: string): void {
  if (isDeeper(text, MAX_JSON_DEPTH))
    throw new UnreadableBody(`JSON nested deeper than ${MAX_JSON_DEPTH} levels`)
  try {
    JSON.parse(text)
  } catch {
    throw new UnreadableBody('not JSON')
  }
}

/** False beyond the end of the text, where the code is NaN. */
function isOfWord(code: number): boolean {
  return code > 0x20 && code !== COMMA && code !== CLOSE_LIST && code !== CLOSE_OBJECT
}
