// The name that a client has for itself, in metrics.

import type { IncomingHttpHeaders } from 'node:http'
import { createHeaderReader } from '../gateway/header-reader.ts'

/** Characters of a client's name, or of an operation's. */
const MAX_NAME_LENGTH = 64
const UNNAMED = 'unnamed'
const OTHER = 'other'

/** What a name in a metric may be made of: neither quotes nor line breaks, nor an address of mail. */
const plainName = /^[\w.:/+() -]+$/

const readClientName = createHeaderReader(MAX_NAME_LENGTH + 1, (name) => {
  // Of a longer text, only so much is read: what is left of it without blanks is no name that was sent.
  if (name.length > MAX_NAME_LENGTH) return OTHER
  const trimmed = name.trim()
  if (trimmed === '') return UNNAMED
  return plainName.test(trimmed) ? trimmed : OTHER
})

/** The name that a client has for itself, as Apollo Client and others send it. */
export function clientNameOf(headers: IncomingHttpHeaders): string {
  const name = headers['apollographql-client-name'] ?? headers['graphql-client-name']
  return typeof name === 'string' ? readClientName(name) : UNNAMED
}
