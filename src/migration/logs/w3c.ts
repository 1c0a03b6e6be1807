// The W3C extended log file format: a line "#Fields:" names the fields of the lines after it. IIS and
// CloudFront write it, each in its own way.

import { meaningOf } from './names.ts'
import { type LogFormat, type Role, requestOf } from './request.ts'

/** Fields of a line; no server writes more. */
const MAX_FIELDS = 200

const timed = /^\d{4}-\d\d-\d\d[ \t]\d\d:\d\d:\d\d[ \t]\S+[ \t]\S/

export const w3c: LogFormat = {
  name: 'W3C',
  read: (line, state) => {
    if (/^#Fields:/i.test(line)) {
      // The fields may change within a file, when the operator has chosen others.
      const columns = line.slice('#Fields:'.length).trim().split(/\s+/, MAX_FIELDS).map(roleOf)
      state.w3c = { columns, isCloudFront: /\sx-edge-/i.test(line) }
      return 'comment'
    }
    if (!state.w3c?.columns.includes('target')) return timed.test(line) ? 'no fields' : 'unreadable'
    const { columns, isCloudFront } = state.w3c
    // A raw blank in a value would move all values after it.
    const values = line.trimEnd().split(isCloudFront ? '\t' : ' ', MAX_FIELDS)
    if (values.length !== columns.length) return 'unreadable'
    const fields: Partial<Record<Role, string>> = {}
    for (const [at, role] of columns.entries()) {
      const value = values[at] ?? ''
      if (role === null || value === '' || value === '-') continue
      fields[role] ??= isCloudFront ? fromCloudFront(value, role) : fromIis(value, role)
    }
    // Another program's line may have as many words.
    if (!/^(?:\/|\*|https?:|$)/.test(fields.target ?? '') || /[^-\d]/.test(fields.date ?? ''))
      return 'unreadable'
    // Times are in UTC.
    const time = fields.date === undefined ? fields.time : `${fields.date} ${fields.time ?? ''}Z`
    return requestOf({ ...fields, date: undefined, time }, (plain) => plain)
  },
}

function roleOf(name: string): Role | null {
  if (/^date$/i.test(name)) return 'date'
  const role = meaningOf(name)?.role ?? null
  return role === 'text' ? null : role
}

/** IIS writes `+` for the blanks of a User-Agent. */
function fromIis(text: string, role: Role): string {
  return role === 'userAgent' || role === 'referer' ? text.replaceAll('+', ' ') : text
}

/** CloudFront percent-encodes. Some texts are encoded twice: "%2520". */
function fromCloudFront(text: string, role: Role): string {
  // A percent sign of the client is "%25": the only encoding that the client cannot have sent itself.
  if (role === 'query') return text.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%')
  return role === 'target' ? text : decoded(decoded(text))
}

function decoded(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
