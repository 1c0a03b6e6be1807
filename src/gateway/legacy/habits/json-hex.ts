// Characters that JSON need not escape, which some services do.

/**
 * PHP's JSON_HEX_TAG and its like: characters that HTML would take for markup. Go and .NET have lower-case
 * digits.
 */
const hex = {
  'hex-tag': '<>',
  'hex-tag-lower': '<>',
  'hex-amp': '&',
  'hex-apos': "'",
  'hex-quot': '"',
} as const
type HexFlag = keyof typeof hex
export const hexFlags = [
  'hex-tag',
  'hex-tag-lower',
  'hex-amp',
  'hex-apos',
  'hex-quot',
] as const satisfies readonly HexFlag[]

/** What is written for a character that a set flag makes an escape of. */
export function hexEscapes(set: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    hexFlags
      .filter((flag) => set.includes(flag))
      .flatMap((flag) => [...hex[flag]].map((character) => [character, hexOf(flag, character)])),
  )
}

function hexOf(flag: HexFlag, character: string): string {
  const digits = character.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${flag === 'hex-tag-lower' ? digits : digits.toUpperCase()}`
}

/**
 * Those that are seen. Where a service of PHP has one of them, it has nearly always all four: those of which
 * no text says otherwise are taken for set.
 */
export function hexFlagsIn(text: string): readonly HexFlag[] {
  const seen = hexFlags.filter((flag) =>
    [...hex[flag]].some((character) => text.includes(hexOf(flag, character))),
  )
  const isOfPhp = seen.length > 0 && !seen.includes('hex-tag-lower') && text.includes('\\/')
  // Texts that are escaped for HTML already have no such characters to show.
  if (/(?:&|\\u0026)(?:lt|gt|quot|#0?39);/.test(text)) return seen
  return isOfPhp ? phpFlags.filter((flag) => seen.includes(flag) || !isSeenRaw(flag, text)) : seen
}

const phpFlags = ['hex-tag', 'hex-amp', 'hex-apos', 'hex-quot'] as const

/** Whether a character is written as it is; a quotation mark, as JSON has it otherwise. */
function isSeenRaw(flag: HexFlag, text: string): boolean {
  return flag === 'hex-quot'
    ? text.includes('\\"')
    : [...hex[flag]].some((character) => text.includes(character))
}
