/** Characters of a Referer that are read: no host's name is longer. */
export const MAX_REFERER_LENGTH = 300

/** The site that a Referer names, without a login, a path or a query; empty where it names none. */
export function originOf(referer: string): string {
  if (!/^https?:\/\//i.test(referer)) return ''
  const [address = ''] = /^[^/]+\/\/[^/?#]*/.exec(referer.slice(0, MAX_REFERER_LENGTH)) ?? []
  return URL.parse(address)?.origin ?? ''
}
