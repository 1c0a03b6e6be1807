// One row may be named thousands of times in a request of 3 KB: a bound on values and fields does not bound
// the bytes of the response.

import { LookupError } from '../errors.ts'
import { MAX_LINK_LENGTH } from './fields.ts'

/** Bytes of the longest text that a row can have, a link. UTF-8 has up to 3 bytes for a UTF-16 unit. */
const MAX_TEXT_BYTES = 3 * MAX_LINK_LENGTH

/**
 * Checks that the texts of a response fit, before the response is written.
 * @param fields of the response, at most: a response of few fields always fits, and is not walked
 * @throws LookupError `ResponseTooLarge`
 */
export function checkResponseSize(data: unknown, fields: number, maxBytes: number): void {
  if (fields * MAX_TEXT_BYTES <= maxBytes) return
  let bytes = 0
  const add = (value: unknown): void => {
    if (typeof value === 'string') {
      bytes += Buffer.byteLength(value)
      if (bytes > maxBytes) throw new LookupError('ResponseTooLarge', [String(maxBytes)])
    } else if (Array.isArray(value)) for (const item of value) add(item)
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) add(member)
  }
  add(data)
}
