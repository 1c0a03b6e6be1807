// CloudFront's standard logs: as W3C has it, with tabs, and percent-encoded.

import { plainFormat } from './format.ts'
import { createW3cReader } from './w3c.ts'

const habits = {
  separator: '\t',
  decodeText: (text: string) => decoded(decoded(text)),
  // A percent sign of the client is "%25": it is the only encoding that the client cannot have sent itself.
  decodeQuery: (text: string) => text.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%'),
} as const

/** Some texts are encoded twice: "%2520". What is not encoded stays. */
function decoded(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

export const cloudfront = plainFormat(
  'CloudFront',
  () => createW3cReader(habits),
  (line) =>
    /^#Fields:.{0,200}\bx-edge-/.test(line) ||
    /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}\d+[-\t]/.test(line),
)
