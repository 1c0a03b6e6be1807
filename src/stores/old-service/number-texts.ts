// Texts that PHP's JSON_NUMERIC_CHECK made numbers of, read as texts that it would write the same.

import type { OldServiceLocation } from '../../database-location.ts'
import { type EntryTemplate, isMembers, MESSAGE, parseEntryTemplate } from '../../entry-template.ts'
import { textFields } from './fields.ts'

/** A reviver of JSON.parse: the number as it stands in the source, since a double may be another one. */
export type ReadNumbers = (name: string, value: unknown, context?: { readonly source?: string }) => unknown

/**
 * What was 7, 007 or 7.0 in the database is not known any more: it is the number that was written.
 * @returns `undefined` where numbers are no texts
 */
export function createReadNumbers(
  { jsonFlags = [], unknown = '' }: NonNullable<OldServiceLocation['habits']>,
  serviceName: string,
): ReadNumbers | undefined {
  if (!jsonFlags.includes('numeric-check')) return undefined
  const names = new Set([...textFields(serviceName), ...messagesIn(parseEntryTemplate(unknown) ?? [])])
  return (name, value, { source } = {}) => {
    if (typeof value !== 'number' || source === undefined) return value
    if (!names.has(name) && !isMessageName(name)) return value
    // The text -0 would be the integer 0.
    return source === '-0' ? '-0.0' : source
  }
}

function messagesIn(template: EntryTemplate): string[] {
  return template.flatMap(([name, content]) =>
    isMembers(content) ? messagesIn(content) : content === MESSAGE ? [name] : [],
  )
}

/** In errors of the gateway's own shapes. */
function isMessageName(name: string): boolean {
  return /^(?:error|message)$/i.test(name)
}
