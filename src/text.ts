// Text and numbers, for a terminal, a page or a message.

/** Replaces control characters and marks of the writing direction by U+FFFD. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd')
}

/** Cuts a text to so many characters, and appends an ellipsis. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  // Splitting all of a long text into characters would take time.
  const characters = [...text.slice(0, 2 * length + 1).toWellFormed()]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Begins a sentence with the text. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Copies a text into memory of its own. V8 keeps the whole string of which a text is a part: a request target
 * of 64 KiB for a query of ten characters, or a whole chunk of a log.
 */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

export const count = (number: number) => number.toLocaleString('en')

/** `1 request`, `1,000 requests` */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`
}

/** A share as a percentage: never 100 % for a part, nor 0 % for more than nothing. */
export function percent(part: number): string {
  if (part > 0 && part < 0.0001) return '< 0.01 %'
  return `${(Math.floor(part * 10_000) / 100).toFixed(2)} %`
}

/** The text, or an empty one for a value of any other type: rows of SQLite and JSON may have any. */
export const stringOf = (value: unknown) => (typeof value === 'string' ? value : '')
