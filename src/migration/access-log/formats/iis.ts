// IIS, in its W3C format: fields that the operator has chosen, times in UTC, and `+` for the blanks of a
// User-Agent.

import { plainFormat } from './format.ts'
import { createW3cReader } from './w3c.ts'

const habits = {
  separator: ' ',
  decodeText: (text: string) => text.replaceAll('+', ' '),
  decodeQuery: (text: string) => text,
} as const

/** Without the lines at its beginning, it can be told by its date, and not be read. */
const header =
  /^#(?:Software|Version|Date|Fields|Start-Date|End-Date|Remark):|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ \S/

export const iis = plainFormat(
  'IIS W3C',
  () => createW3cReader(habits),
  (line) => header.test(line),
)
