import type { IncomingHttpHeaders } from 'node:http'
import { createHeaderReader } from '../header-reader.ts'

/** Characters of a client's name in metrics. */
const MAX_NAME_LENGTH = 64
/** Names in metrics have no quotes or line breaks, and are no mail address. */
const plainName = /^[\w.:/+() -]+$/

const readClientName = createHeaderReader(MAX_NAME_LENGTH + 1, (name) => {
  // A longer text is cut, so it is not the name that was sent.
  if (name.length > MAX_NAME_LENGTH) return 'other'
  const trimmed = name.trim()
  if (trimmed === '') return 'unnamed'
  return plainName.test(trimmed) ? trimmed : 'other'
})

/** The name that a client has for itself, as Apollo Client and others send it. */
export function clientNameOf(headers: IncomingHttpHeaders): string {
  const name = headers['apollographql-client-name'] ?? headers['graphql-client-name']
  return typeof name === 'string' ? readClientName(name) : 'unnamed'
}
