// Escapes and unescapes texts like PHP's htmlspecialchars, which some services use in JSON, too.

const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' } as const
type SpecialCharacter = keyof typeof references

const isSpecial = (character: string): character is SpecialCharacter => Object.hasOwn(references, character)
const referenceOf = (character: string) => (isSpecial(character) ? references[character] : character)

/** PHP's default since 8.1. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, referenceOf)
}

/** PHP's default before 8.1: ENT_COMPAT. */
export function escapeHtmlCompat(text: string): string {
  return text.replace(/[&<>"]/g, referenceOf)
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#039': "'",
  '#39': "'",
}

/** Undoes both escapes. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#0?39);/g, (reference, name: string) => characters[name] ?? reference)
}

/** Whether a text may be the result of an escape. */
export function isEscapedHtml(text: string): boolean {
  return !/[<>"]|&(?!(?:amp|lt|gt|quot|#0?39);)/.test(text)
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Replaces the character references of XML. */
export function readReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return named[name] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
