// Wrappers of a line of another format: containers, journals, syslog and grep put a time or a name before
// each line of a server. A wrapper removes its own part, and passes the text to the other formats. To add
// one, add a row. A wrapper that matches too much hides requests: `lookup replay` then proves less than its
// report says.

import { looksLikeRequest } from './likeness.ts'
import type { LineReader, LogFormat } from './request.ts'
import { readTime } from './time.ts'

/**
 * Reads a text that may have several lines, such as a message and a stack trace. Only one may be a request.
 */
export function readText(text: string, readInner: LineReader): ReturnType<LineReader> {
  if (!text.includes('\n') || text.startsWith('{')) return readInner(text)
  const [line, ...others] = text.split('\n').filter(looksLikeRequest)
  return line === undefined || others.length > 0 ? 'unreadable' : readInner(line)
}

/** Gives a request without a time that of its wrapper. */
export function withTime(result: ReturnType<LineReader>, time: string | undefined): ReturnType<LineReader> {
  if (typeof result === 'string' || result.time !== null || time === undefined) return result
  return { ...result, time: readTime(time) }
}

const iso = String.raw`\d{4}-\d\d-\d\dT[\d:.,]{8,20}(?:Z|[+-]\d\d:?\d\d)`
const syslogTime = String.raw`(?<time>[A-Z][a-z]{2} [ \d]\d [\d:]{8}|${iso})`

/** Each begins a line; a group `piece` means that the line is a part of another. The first match counts. */
const patterns = [
  // The files of Kubernetes
  new RegExp(`^(?<time>${iso}) (?:stdout|stderr) (?:F|(?<piece>P))(?::\\S{1,20})? `),
  // docker logs -t, kubectl logs --timestamps
  new RegExp(`^(?<time>${iso}) `),
  // RFC 3164, RFC 5424, and the files of syslog servers
  new RegExp(`^(?:<\\d{1,3}>)?${syslogTime} \\S{1,255} [^\\s:[]{1,100}(?:\\[\\d{1,10}\\])?: ?`),
  new RegExp(
    `^<\\d{1,3}>1 (?<time>${iso}) \\S{1,255} \\S{1,48} \\S{1,128} \\S{1,32} (?:-|(?:\\[[^\\]]{0,500}\\])+) (?:\\xef\\xbb\\xbf)?`,
  ),
  // docker compose logs, pm2; kubectl logs --prefix
  /^\S{1,100} +\| /,
  /^\[pod\/[^\]]{1,300}\] /,
  // grep and grep -n, in one file or several. `time=2026-11-22T09:` of logfmt is no name of a file.
  /^(?![\w@.]{1,60}=[\d-]{10}T\d\d:)(?:[A-Za-z]:(?=\\))?[^\s:"{[<]{1,250}:(?:\d{1,12}:)?/,
]

export const prefixes = patterns.map(
  (pattern): LogFormat => ({
    name: '',
    read: (line, { readInner }) => {
      const found = pattern.exec(line)
      if (found === null || found[0].length === line.length || found.groups?.piece !== undefined)
        return 'unreadable'
      return withTime(readInner(line.slice(found[0].length)), found.groups?.time)
    },
  }),
)
