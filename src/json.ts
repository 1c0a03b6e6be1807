// Checks JSON from outside before it is parsed (its levels), and after (whether a value is an object).

export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const OPEN_LIST = 0x5b
export const CLOSE_LIST = 0x5d
export const OPEN_OBJECT = 0x7b
export const CLOSE_OBJECT = 0x7d

/** The default limit of nested lists and objects. No JSON that the program reads needs as many. */
export const MAX_JSON_LEVELS = 100

/**
 * Whether lists and objects in a JSON text are nested deeper than so many levels. Call this before JSON.parse
 * reads a text from outside: with the V8 of Node 26.10, a text of 30 KB that ends within ten thousand open
 * lists damages the memory of the process, which crashes soon after. If the text is not JSON, the result is
 * right up to the first error.
 */
export function isDeeper(text: string, levels: number): boolean {
  // Nearly all texts end here, at a tenth of the cost of reading each character.
  if (countUpTo(text, '[', levels) + countUpTo(text, '{', levels) <= levels) return false
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === BACKSLASH) at++
      else quoted = code !== QUOTE
    } else if (code === QUOTE) quoted = true
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > levels) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}

/** Counts a character in a text, up to `most` + 1. */
function countUpTo(text: string, character: string, most: number): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count <= most; at = text.indexOf(character, at + 1))
    count++
  return count
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
