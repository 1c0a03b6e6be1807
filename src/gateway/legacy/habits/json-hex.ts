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

export function hexFlagsIn(text: string): readonly HexFlag[] {
  return hexFlags.filter((flag) => [...hex[flag]].some((character) => text.includes(hexOf(flag, character))))
}
