// The table of formats. A new format is one file and one row here.

import { LookupError } from '../../../errors.ts'
import type { Format } from './format.ts'
import { json } from './json.ts'
import { xml } from './xml.ts'

export type FormatName = 'JSON' | 'XML'

export const formats: Readonly<Record<FormatName, Format>> = { JSON: json, XML: xml }

/** What the parameter Format may be; the first is the default. */
export const formatNames = Object.keys(formats) as readonly FormatName[]

/**
 * Reads the parameter Format: XML in exact case, since the specification writes it so; JSON in any case.
 * @throws LookupError `UnknownFormat`
 */
export function parseFormat(value: string | undefined): FormatName {
  if (value === undefined || value === '' || value.toUpperCase() === 'JSON') return 'JSON'
  if (value === 'XML') return 'XML'
  throw new LookupError('UnknownFormat', [value, formatNames.join(', ')])
}
