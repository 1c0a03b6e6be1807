/** A piece of a formatted answer. All pieces together are the text that is shown. */
export interface Token {
  readonly text: string
  readonly kind: 'plain' | 'name' | 'string' | 'number' | 'word'
  /** The habit of the old service that shows here, by its number among the notes. */
  readonly note?: number
}

/** Tokens by lines; each line but the first begins with its line end. */
export function linesOf(tokens: readonly Token[]): Token[][] {
  const lines: Token[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'plain' && token.text.startsWith('\n')) lines.push([])
    lines.at(-1)?.push(token)
  }
  return lines
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

/** JSON on one line, in which nothing is hidden: what would be is escaped, which means the same. */
export function escapedJson(value: unknown): string {
  // Line ends within texts are escaped: those that are there are of the layout.
  const onOneLine = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  return onOneLine.replace(hidden, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}

/** Longer texts are cut in tables. */
const MAX_SHOWN_LENGTH = 160

/** `visible`, and where it is long the beginning of it. */
export function beginning(text: string): string {
  if (text.length <= MAX_SHOWN_LENGTH) return visible(text)
  const length = text.length.toLocaleString('en')
  return `${visible(text.slice(0, MAX_SHOWN_LENGTH).toWellFormed())} … (${length} characters)`
}
