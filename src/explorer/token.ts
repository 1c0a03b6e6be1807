/** A piece of a formatted answer. All pieces together are the text that is shown. */
export interface Token {
  readonly text: string
  readonly kind: 'plain' | 'name' | 'string' | 'number' | 'word'
  /** The habit of the old service that shows here, by its number among the notes. */
  readonly note?: number
}

/** Characters that nobody sees, or that turn the text around them: shown by their number. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** A text as it can be shown, without a character that plays tricks on the reader. */
export function visible(text: string): string {
  return text.replace(hidden, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
