// How users and apps are identified: numeric ids, and usernames in the form in which they are compared.

/** How the values of a user lookup are read (specification 4.1). */
export type LookupMethod = 'ID' | 'USERNAME' | 'CHAT'

const digitsOnly = /^\d+$/

/**
 * Reads a numeric identifier: digits only, up to 2^53-1. Leading zeros are allowed (`007` is 7).
 * @returns the canonical digits, or `null` if the text is no identifier
 */
export function parseId(text: string): string | null {
  if (isShortCanonical(text)) return text
  if (!digitsOnly.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? String(number) : null
}

/** Whether the text has up to 15 digits and no leading zero, like nearly every identifier. */
function isShortCanonical(text: string): boolean {
  if (text.length === 0 || text.length > 15) return false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x30 || unit > 0x39) return false
  }
  return text.length === 1 || text.charCodeAt(0) !== 0x30
}

/**
 * The length of a username or a chat identifier, in UTF-16 units, before normalisation. A longer text matches
 * nothing and is not normalised: NFKC takes quadratic time on a run of combining marks, 0.12 ms for 256.
 */
export const MAX_NAME_LENGTH = 256

/**
 * The form in which usernames are compared: NFKC, then lower case. A column has this form, so that all stores
 * find the same users, whatever their collation.
 */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase()
}
