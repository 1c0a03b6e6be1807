/** A piece of a formatted answer. All pieces together are the text that is shown. */
export interface Token {
  readonly text: string
  readonly kind: 'plain' | 'name' | 'string' | 'number' | 'word'
  /** The habit of the old service that shows here, by its number among the notes. */
  readonly note?: number
}

/**
 * Characters that are invisible, or that turn the text around them; those that join letters and emoji are
 * needed.
 */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu

/** A text as it can be shown: what would be hidden, or play tricks on the reader, is there by its number. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16)
    return number.length > 4 ? `\\u{${number}}` : `\\u${number.padStart(4, '0')}`
  })
}

/** `visible`, but for the ends of lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}
