/** The server and the database of a URL, without what may be secret. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || searchParams.get('port') || 5432}${pathname}`
}
