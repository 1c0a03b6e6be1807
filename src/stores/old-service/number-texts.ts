// Texts that PHP's JSON_NUMERIC_CHECK made numbers of, read as texts that it would write the same.

import type { Dialect } from '../../legacy/dialect.ts'
import { textFields } from './fields.ts'

/** A reviver of JSON.parse: the number as it stands in the source, since a double may be another one. */
export type ReadNumbers = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * Returns undefined unless the service writes texts that look like numbers as numbers. Whether the database has
 * 7, 007 or 7.0 cannot be known then: the text is the number as it was written.
 */
export function createReadNumbers({ json, serviceName }: Dialect): ReadNumbers | undefined {
  if (json.numericTexts !== 'number') return undefined
  const names = new Set(textFields(serviceName))
  return (name, value, { source } = {}) => {
    if (typeof value !== 'number' || source === undefined) return value
    if (!names.has(name) && !isMessageName(name)) return value
    // The text -0 would be the integer 0.
    return source === '-0' ? '-0.0' : source
  }
}

/** In errors of the gateway's own shapes. */
function isMessageName(name: string): boolean {
  return /^(?:error|message)$/i.test(name)
}
