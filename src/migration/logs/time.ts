// The times that servers write.

/** No longer text is a time. */
const MAX_TIME_LENGTH = 50

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const clock = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?`
const zone = String.raw`(?: ?(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?`
const pattern = new RegExp(
  [
    // `22/Nov/2026:13:55:36 +0100` of Apache and nginx; HAProxy has no zone, Python a blank before the hour.
    String.raw`(?<day>\d\d?)\/(?<month>[a-z]{3})\/(?<year>\d{4})[: ]${clock}${zone}`,
    // `Sun Nov 22 13:55:36 2026` of C: PHP's own server, and uWSGI.
    String.raw`[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) ${clock} (?<year>\d{4})`,
    // `2026-11-22T12:55:36.123Z` of ISO 8601, and `2026-11-22 13:55:36,123 +01:00`.
    String.raw`(?<year>\d{4})[-/](?<month>\d\d)[-/](?<day>\d\d)[T ]${clock}${zone}`,
  ]
    .map((form) => `^${form}$`)
    .join('|'),
  'i',
)

/** Neighbouring lines of a log often have the same time. */
let latest: { readonly text: string; readonly time: number | null } = { text: '', time: null }

/** Milliseconds since 1970; null if the text is no time. A time without a zone is of this machine's zone. */
export function readTime(text: string): number | null {
  if (text !== latest.text) latest = { text, time: parse(text) }
  return latest.time
}

function parse(text: string): number | null {
  if (text.length > MAX_TIME_LENGTH) return null
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const parts = pattern.exec(bare)?.groups
  if (parts === undefined) return sinceEpoch(bare)
  const { year, month = '', day, hour, minute, second, fraction = '0', zone } = parts
  const monthNumber = months.indexOf(month.toLowerCase()) + 1 || Number(month)
  const isIn = (value: unknown, least: number, most: number) =>
    Number(value) >= least && Number(value) <= most
  if (!isIn(monthNumber, 1, 12) || !isIn(day, 1, 31) || !isIn(hour, 0, 24) || !isIn(minute, 0, 59))
    return null
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000)
  const numbers = [Number(day), Number(hour), Number(minute), Number(second), milliseconds] as const
  if (zone === undefined) return new Date(Number(year), monthNumber - 1, ...numbers).getTime()
  return Date.UTC(Number(year), monthNumber - 1, ...numbers) - offsetOf(zone)
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** Seconds since 1970, also with a fraction; or milli-, micro- or nanoseconds, by their length. */
function sinceEpoch(text: string): number | null {
  const [, whole] = /^(\d{9,19})(?:\.\d{1,9})?$/.exec(text) ?? []
  if (whole === undefined) return null
  const unit = whole.length < 12 ? 1000 : whole.length < 15 ? 1 : whole.length < 18 ? 1e-3 : 1e-6
  return Math.floor(Number((Number(text) * unit).toFixed(3)))
}
