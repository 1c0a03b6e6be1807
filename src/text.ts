// Text and numbers, for a terminal, a page or a message.

/** Control characters, and those that turn the direction of writing, become U+FFFD. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd')
}

/** So many characters at most, and a sign that there is more. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text
  // No more of a long text is looked at than may be shown.
  const characters = [...text.slice(0, 2 * length + 1).toWellFormed()]
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A message that begins a sentence. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * The same text in its own memory. V8 keeps the whole string of which a text is a part: the request target of
 * 64 KiB for a query of ten characters, or the whole chunk of a log.
 */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

export const count = (number: number) => number.toLocaleString('en')

/** `1 request`, `1,000 requests` */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`
}

/** Never 100 % for what is not all, nor 0 % for what is there. */
export function percent(part: number): string {
  if (part > 0 && part < 0.0001) return '< 0.01 %'
  return `${(Math.floor(part * 10_000) / 100).toFixed(2)} %`
}
