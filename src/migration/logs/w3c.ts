// The W3C extended log file format: a line "#Fields:" names the fields of the lines after it. IIS and
// CloudFront write it, each in its own way.

import { meaningOf } from './names.ts'
import { type LogFormat, type Role, requestOf } from './request.ts'
import { createTimeReader } from './time.ts'

/** Fields of a line; no server writes more. */
const MAX_FIELDS = 200

interface W3cOptions {
  readonly separator: ' ' | '\t'
  readonly decode: (text: string, role: Role) => string
}

/** @param header matches a #Fields line, and `line` a line after it */
function w3cFormat(name: string, header: RegExp, line: RegExp, { separator, decode }: W3cOptions): LogFormat {
  return {
    name,
    detect: new RegExp(`${header.source}|${line.source}`, 'i'),
    open: () => {
      const timeOf = createTimeReader()
      let columns: readonly (Role | null)[] = []
      return (text) => {
        if (header.test(text)) {
          // The fields may change within a file, when the operator has chosen others.
          columns = text.slice('#Fields:'.length).trim().split(/\s+/, MAX_FIELDS).map(roleOf)
          return 'comment'
        }
        if (!columns.includes('target')) return 'no fields'
        // A raw blank in a value would move all values after it.
        const values = text.trimEnd().split(separator, MAX_FIELDS)
        if (values.length !== columns.length) return 'unreadable'
        const fields: Partial<Record<Role, string>> = {}
        for (const [at, role] of columns.entries()) {
          const value = values[at] ?? ''
          if (role !== null && value !== '' && value !== '-') fields[role] ??= decode(value, role)
        }
        // Another program's line may have as many words.
        if (!/^(?:\/|\*|https?:|$)/.test(fields.target ?? '') || /[^-\d]/.test(fields.date ?? ''))
          return 'unreadable'
        // Times are in UTC.
        const time = fields.date === undefined ? fields.time : `${fields.date} ${fields.time ?? ''}Z`
        return requestOf({ ...fields, date: undefined, time }, timeOf, (plain) => plain)
      }
    },
  }
}

function roleOf(name: string): Role | null {
  if (/^date$/i.test(name)) return 'date'
  const role = meaningOf(name)?.role ?? null
  return role === 'text' ? null : role
}

/** Other directives than #Fields say nothing about lines. */
export const isRemark = (line: string) =>
  /^#(?:Software|Version|Date|Start-Date|End-Date|Remark):/i.test(line)

/** IIS writes `+` for the blanks of a User-Agent. Without its header, a line has only its date. */
export const iis = w3cFormat(
  'IIS W3C',
  /^#Fields:(?!.{0,200}\bx-edge-)/i,
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ \S/,
  {
    separator: ' ',
    decode: (text, role) => (role === 'userAgent' || role === 'referer' ? text.replaceAll('+', ' ') : text),
  },
)

/** CloudFront writes tabs, and percent-encodes. Some texts are encoded twice: "%2520". */
export const cloudfront = w3cFormat(
  'CloudFront',
  /^#Fields:.{0,200}\bx-edge-/i,
  /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}\d+[-\t]/,
  {
    separator: '\t',
    decode: (text, role) => {
      // A percent sign of the client is "%25": the only encoding that the client cannot have sent itself.
      if (role === 'query') return text.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%')
      return role === 'target' ? text : decoded(decoded(text))
    },
  },
)

function decoded(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
