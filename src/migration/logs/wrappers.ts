// Formats that wrap a line of another format: containers, journals, syslog, collectors and grep add a time, a
// name or JSON to each line of a server. A wrapper removes its own part, and passes the text to the others.
//
// To add one, add a row to `jsonWrappers` or `prefixes`: the first row that matches a line is used. A wrapper
// that matches too much hides requests: `lookup replay` then proves less than its report says.

import {
  type LineReader,
  type LogFormat,
  looksLikeRequest,
  MAX_LINE_LENGTH,
  type RequestMembers,
} from './request.ts'
import { readTime } from './time.ts'

/** The text inside a wrapper: a whole line, or a piece of a long one. */
interface WrapperText {
  readonly text: string
  readonly isLast: boolean
  /** Pieces of several streams may alternate. */
  readonly stream?: string | undefined
  readonly time?: string | undefined
}

/**
 * Makes a format that joins the pieces of long lines, and reads the text inside.
 * @param name shown to operators; empty for a prefix that many programs write
 * @param detect matches the lines of the wrapper
 * @param open returns a function that removes the wrapper; null if the line is of another format
 */
function wrapper(
  name: string,
  detect: RegExp,
  open: (membersOf: (line: string) => RequestMembers | null) => (line: string) => WrapperText | null,
): LogFormat {
  return {
    name,
    detect,
    isWrapper: true,
    open: ({ readInner, membersOf, unfinished }) => {
      const readPiece = open(membersOf)
      const pieces = new Map<string, string>()
      unfinished.push(pieces)
      return (line) => {
        const piece = readPiece(line)
        if (piece === null) return 'unreadable'
        const { text, isLast, stream = '', time } = piece
        const before = pieces.get(stream) ?? ''
        // One character beyond the limit marks a line as too long.
        const whole = before === '' ? text : (before + text).slice(0, MAX_LINE_LENGTH + 1)
        if (!isLast) {
          // Docker has two streams. Streams that a client made up must not fill the memory.
          if (pieces.size >= 2 && !pieces.has(stream)) return 'unreadable'
          pieces.set(stream, whole)
          return 'comment'
        }
        if (before !== '') pieces.delete(stream)
        if (whole.length > MAX_LINE_LENGTH) return 'too long'
        if (whole.trim() === '') return 'comment'
        return withTime(readText(whole, readInner), time)
      }
    },
  }
}

/**
 * Reads a text that may have several lines, such as a message and a stack trace. Only one may be a request.
 */
function readText(text: string, readInner: LineReader): ReturnType<LineReader> {
  if (!text.includes('\n') || text.startsWith('{')) return readInner(text)
  const [line, ...others] = text.split('\n').filter(looksLikeRequest)
  return line === undefined || others.length > 0 ? 'unreadable' : readInner(line)
}

function withTime(result: ReturnType<LineReader>, time: string | undefined): ReturnType<LineReader> {
  if (typeof result === 'string' || result.time !== null || time === undefined) return result
  return { ...result, time: readTime(time) }
}

/** A collector's object with the line in `message`, `log` or another name of `names.ts`. */
const inJson = wrapper('JSON', /^\{/, (membersOf) => (line) => {
  const { time, text } = membersOf(line) ?? {}
  return text === undefined ? null : { text: withoutEnd(text), isLast: true, time }
})

/** `journalctl -o json`. A message may be empty. */
const journald = wrapper('journald JSON', /^\{.*"MESSAGE"/s, (membersOf) => (line) => {
  const { time, text = /"MESSAGE" ?: ?""/.test(line) ? '' : undefined } = membersOf(line) ?? {}
  return text === undefined ? null : { text: withoutEnd(text), isLast: true, time }
})

/** Docker cuts longer lines into pieces of this length. */
const PIECE_BYTES = 16 * 1024

/** Only the last piece of a line has a line break. Collectors such as Fluent Bit have none in any line. */
const docker = wrapper('docker json-file', /^\{(?=.*"log":).*"stream":/s, (membersOf) => {
  let hasEnds = false
  return (line) => {
    const { time, text } = membersOf(line) ?? {}
    if (text === undefined) return null
    const isEnd = text.endsWith('\n')
    hasEnds ||= isEnd
    const isLast = isEnd || !(hasEnds || text.length === PIECE_BYTES)
    const stream = line.includes('"stream":"stderr"') ? 'stderr' : 'stdout'
    return { text: withoutEnd(text), isLast, stream, time }
  }
})

const withoutEnd = (text: string) => text.replace(/\r?\n$/, '')

/** @param pattern what is before the line; its groups are a time, a stream, and the tag P of a piece */
const prefix = (name: string, pattern: RegExp) =>
  wrapper(name, pattern, () => (line) => {
    const found = pattern.exec(line)
    if (found === null || found[0].length === line.length) return null
    const { time, stream, tag } = found.groups ?? {}
    return { text: line.slice(found[0].length), isLast: tag !== 'P', stream, time }
  })

const iso = String.raw`\d{4}-\d\d-\d\dT[\d:.,]{8,20}(?:Z|[+-]\d\d:?\d\d)`
const syslogTime = String.raw`(?<time>[A-Z][a-z]{2} [ \d]\d [\d:]{8}|${iso})`

export const jsonWrappers: readonly LogFormat[] = [docker, journald, inJson]

/** The names of prefixes are not shown, except that of a container's file. */
export const prefixes: readonly LogFormat[] = [
  prefix('Kubernetes', new RegExp(`^(?<time>${iso}) (?<stream>stdout|stderr) (?<tag>[FP])(?::\\S{1,20})? `)),
  // docker logs -t, kubectl logs --timestamps
  prefix('', new RegExp(`^(?<time>${iso}) `)),
  // RFC 3164, RFC 5424, and the files of syslog servers
  prefix('', new RegExp(`^(?:<\\d{1,3}>)?${syslogTime} \\S{1,255} [^\\s:[]{1,100}(?:\\[\\d{1,10}\\])?: ?`)),
  prefix(
    '',
    new RegExp(
      `^<\\d{1,3}>1 (?<time>${iso}) \\S{1,255} \\S{1,48} \\S{1,128} \\S{1,32} (?:-|(?:\\[[^\\]]{0,500}\\])+) (?:\\xef\\xbb\\xbf)?`,
    ),
  ),
  // docker compose logs, pm2; kubectl logs --prefix
  prefix('', /^\S{1,100} +\| /),
  prefix('', /^\[pod\/[^\]]{1,300}\] /),
  // grep and grep -n, in one file or several. `time=2026-11-22T09:` of logfmt is no name of a file.
  prefix('', /^(?![\w@.]{1,60}=[\d-]{10}T\d\d:)(?:[A-Za-z]:(?=\\))?[^\s:"{[<]{1,250}:(?:\d{1,12}:)?/),
]
