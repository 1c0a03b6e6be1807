// Where a response redirects to. No redirection is followed: another address would be another service.

/** Characters of an address that is shown: all of it, since it is to be used, or nothing. */
const MAX_ADDRESS_LENGTH = 1_000

/**
 * Why a redirection is no answer, and what to do.
 * @param url that was asked, without its query
 * @param location the header, as Node reads it: in Latin-1
 */
export function describeRedirection(url: string, location: string): string {
  const target = addressIn(url, location)
  if (target === null) return 'it redirects to an address that is not http(s):// or is too long'
  if (target === addressIn(url, ''))
    return `it redirects to ${target} again: perhaps it wants a login, a cookie or another header`
  return `it redirects to ${target}: use that address`
}

/** An absolute address without a query and a login, as `parseServiceUrl` reads it. */
function addressIn(url: string, location: string): string | null {
  const bytes = location.replace(
    /[^\x21-\x7e]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  if (!URL.canParse(bytes, url)) return null
  const { protocol, host, pathname } = new URL(bytes, url)
  const address = `${protocol}//${host}${pathname.replaceAll('@', '%40')}`
  return /^https?:$/.test(protocol) && address.length <= MAX_ADDRESS_LENGTH ? address : null
}
