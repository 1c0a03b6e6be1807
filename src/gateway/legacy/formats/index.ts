// The table of formats. A new format is one file and one row here.

import { LookupError } from '../../../errors.ts'
import type { Dialect } from '../../../settings.ts'
import { finder } from '../habits/any-case.ts'
import type { Format } from './format.ts'
import { json } from './json.ts'
import { xml } from './xml.ts'

export type FormatName = 'JSON' | 'XML'

export const formats: Readonly<Record<FormatName, Format>> = { JSON: json, XML: xml }

/** What the parameter Format may be; the first is the default. */
export const formatNames = Object.keys(formats) as readonly FormatName[]

/** What a value of the parameter Format means; `null` where it means none. */
export type FindFormat = (value: string) => FormatName | null

/** XML in exact case, since the specification writes it so; JSON in any case. */
const findFormat: FindFormat = (value) => {
  if (value === 'XML') return 'XML'
  return value === '' || (value.length === 4 && value.toUpperCase() === 'JSON') ? 'JSON' : null
}

/** Chosen when the gateway starts. */
export function formatFinder({ anyCase, otherFormat }: Dialect): FindFormat {
  const inAnyCase = anyCase.includes('formats')
  if (!inAnyCase && otherFormat === 'refuse') return findFormat
  const find = finder(new Map(formatNames.map((name) => [name, name])), inAnyCase)
  // A service that asks for nothing but JSON writes XML for json, and for an empty text.
  if (otherFormat === 'xml') return (value) => find(value) ?? 'XML'
  return (value) => find(value) ?? findFormat(value) ?? (otherFormat === 'json' ? 'JSON' : null)
}

/** @throws LookupError `UnknownFormat` */
export function parseFormat(value: string | undefined, find: FindFormat): FormatName {
  const format = value === undefined ? 'JSON' : find(value)
  if (format === null) throw new LookupError('UnknownFormat', [value ?? '', formatNames.join(', ')])
  return format
}
