// The times that servers write.

/** No longer text is a time. */
const MAX_TIME_LENGTH = 50

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const clock = String.raw`(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?`
const zone = String.raw`(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?`
/**
 * `22/Nov/2026:13:55:36 +0100`, as Apache and nginx have it; HAProxy has milliseconds and no zone, Python a
 * blank before the hour.
 */
const ofLogs = new RegExp(String.raw`^(\d\d?)\/([a-z]{3})\/(\d{4})[: ]${clock}${zone}$`, 'i')
/** `Sun Nov 22 13:55:36 2026`, as C has it: PHP's own server, and uWSGI. */
const ofC = new RegExp(String.raw`^[a-z]{3} ([a-z]{3}) ([ \d]\d) ${clock} (\d{4})$`, 'i')
/** ISO 8601 and what is like it: `2026-11-22T13:55:36.123Z`, `2026-11-22 13:55:36,123 +01:00`. */
const ofIso = new RegExp(String.raw`^(\d{4})[-/](\d\d)[-/](\d\d)[T ]${clock}${zone}$`, 'i')

/**
 * Milliseconds since 1970; `null` for what is no time. One without a zone is of the zone in which this is
 * read.
 */
export function readTime(text: string): number | null {
  if (text.length > MAX_TIME_LENGTH) return null
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  const log = ofLogs.exec(bare)
  if (log !== null) {
    const [, day = '', month = '', year = '', ...rest] = log
    return millisecondsOf(year, monthOf(month), day, rest)
  }
  const c = ofC.exec(bare)
  if (c !== null) {
    const [, month = '', day = '', hour, minute, second, fraction, year = ''] = c
    return millisecondsOf(year, monthOf(month), day, [hour, minute, second, fraction])
  }
  const iso = ofIso.exec(bare)
  if (iso === null) return sinceEpoch(bare)
  const [, year = '', month = '', day = '', ...rest] = iso
  return millisecondsOf(year, month, day, rest)
}

/** From 1; 0 for none. */
function monthOf(name: string): string {
  return String(months.indexOf(name.toLowerCase()) + 1)
}

function millisecondsOf(
  year: string,
  month: string,
  day: string,
  [hour, minute, second, fraction = '', zone]: readonly (string | undefined)[],
): number | null {
  const fits = inRange(month, 1, 12) && inRange(day, 1, 31) && inRange(hour, 0, 24) && inRange(minute, 0, 59)
  if (!fits) return null
  const milliseconds = Math.floor(Number(`0.${fraction || '0'}`) * 1000)
  const parts = [Number(hour), Number(minute), Number(second), milliseconds] as const
  if (zone === undefined) return new Date(Number(year), Number(month) - 1, Number(day), ...parts).getTime()
  return Date.UTC(Number(year), Number(month) - 1, Number(day), ...parts) - offsetOf(zone)
}

function inRange(text: string | undefined, least: number, most: number): boolean {
  return Number(text) >= least && Number(text) <= most
}

/** Milliseconds that a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/**
 * Seconds since 1970, with or without a fraction; or milliseconds, microseconds or nanoseconds: told by their
 * length.
 */
function sinceEpoch(text: string): number | null {
  const [, whole] = /^(\d{9,19})(?:\.\d{1,9})?$/.exec(text) ?? []
  if (whole === undefined) return null
  const unit = whole.length < 12 ? 1000 : whole.length < 15 ? 1 : whole.length < 18 ? 1e-3 : 1e-6
  return Math.floor(Number((Number(text) * unit).toFixed(3)))
}

/** Characters of `22/Nov/2026:13:55:36 +0100`, and of what is before and after its seconds. */
const LOG_TIME = { length: 26, before: 18, after: 6 }

/** As `readTime`, for lines in their order: many requests come in the same minute. */
export function createTimeReader(): (text: string) => number | null {
  let before = ''
  let after = ''
  let minute = 0
  return (text) => {
    if (text.length !== LOG_TIME.length) return readTime(text)
    const tens = text.charCodeAt(LOG_TIME.before) - 0x30
    const ones = text.charCodeAt(LOG_TIME.before + 1) - 0x30
    const seconds = tens >= 0 && tens < 6 && ones >= 0 && ones < 10 ? tens * 10 + ones : -1
    if (seconds !== -1 && before !== '' && text.startsWith(before) && text.endsWith(after))
      return minute + seconds * 1000
    const time = ofLogs.test(text) ? readTime(text) : null
    if (time === null || seconds === -1) return readTime(text)
    before = text.slice(0, LOG_TIME.before)
    after = text.slice(-LOG_TIME.after)
    minute = time - seconds * 1000
    return time
  }
}
