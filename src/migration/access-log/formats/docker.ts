// Lines of containers: docker's json-file has each in the member `log`, Kubernetes (CRI) after a time and the
// name of a stream, systemd's journal in the member `MESSAGE`. What they hold is of another format.

import { type LoggedRequest, MAX_LINE_LENGTH, type NoRequest } from '../line.ts'
import { readTime } from '../time.ts'
import type { LogFormat, OpenFormat, Recognise } from './format.ts'
import { parseJsonLine } from './json-line.ts'

/** What a container wrote: a part of a line where it is long. */
interface Piece {
  readonly text: string
  readonly isLast: boolean
  readonly stream: string
  readonly time: string
}

function readJsonFile(line: string): Piece | null {
  const json = /^\{"(?:log|stream|time|attrs)":/.test(line) ? parseJsonLine(line) : null
  if (json === null || typeof json.value.log !== 'string') return null
  const { value, textOf } = json
  const text = textOf(value.log)
  const isLast = text.endsWith('\n')
  return { text: text.replace(/\r?\n$/, ''), isLast, stream: textOf(value.stream), time: textOf(value.time) }
}

const cri = /^(\d{4}-\d\d-\d\dT\S{8,30}) (stdout|stderr) ([FP])(?::\S{1,20})? (.*)$/s

function readCri(line: string): Piece | null {
  const [, time, stream, tag, text] = cri.exec(line) ?? []
  if (time === undefined || stream === undefined || text === undefined) return null
  return { text, isLast: tag === 'F', stream, time }
}

/** `journalctl -o json`: what is not UTF-8 is a list of bytes there. */
function readJournal(line: string): Piece | null {
  const json = line.startsWith('{') && line.includes('"MESSAGE"') ? parseJsonLine(line) : null
  const message = json?.value.MESSAGE
  if (json === null || message === undefined) return null
  const text = Array.isArray(message) ? Buffer.from(message).toString('latin1') : json.textOf(message)
  return { text, isLast: true, stream: '', time: json.textOf(json.value.__REALTIME_TIMESTAMP) }
}

type ReadPiece = (line: string) => Piece | null

function containerFormat(name: string, readPiece: ReadPiece): LogFormat {
  const recognises = (line: string) => readPiece(line) !== null
  return {
    name,
    recognises,
    open(sample, recognise) {
      const pieces = sample.map(readPiece)
      // Collectors such as Fluent Bit take the line breaks away: then each is a whole line.
      const hasEnds = pieces.some((piece) => piece?.isLast)
      const read: ReadPiece = (line) => {
        const piece = readPiece(line)
        return piece === null || hasEnds ? piece : { ...piece, isLast: true }
      }
      const join = createJoiner()
      const whole = sample.map(read).map((piece) => (piece === null ? null : join(piece)))
      const inner = recognise(whole.filter((line) => line !== null))
      return {
        name: inner === null ? name : `${name} with ${inner.name}`,
        recognises,
        read: createReader(read, inner, recognise),
      }
    },
  }
}

/** @returns what puts pieces together: the whole line, or `null` before its end */
function createJoiner(): (piece: Piece) => string | null {
  const begun = new Map<string, string>()
  return ({ text, isLast, stream }) => {
    // One character too many is as good as any number.
    const whole = ((begun.get(stream) ?? '') + text).slice(0, MAX_LINE_LENGTH + 1)
    if (isLast) begun.delete(stream)
    // There are two streams; names that a stranger made up must not fill the memory.
    else if (begun.size < 2 || begun.has(stream)) begun.set(stream, whole)
    return isLast ? whole : null
  }
}

function createReader(readPiece: ReadPiece, first: OpenFormat | null, recognise: Recognise) {
  const join = createJoiner()
  let inner = first
  return (line: string): LoggedRequest | NoRequest | null => {
    const piece = readPiece(line)
    if (piece === null) return 'unreadable'
    const whole = join(piece)
    if (whole === null || whole.trim() === '') return null
    if (whole.length > MAX_LINE_LENGTH) return 'too long'
    inner ??= recognise([whole])
    const said = inner === null ? 'unreadable' : inner.read(whole)
    if (said === null || typeof said === 'string' || said.time !== null) return said
    return { ...said, time: readTime(piece.time) }
  }
}

export const docker = containerFormat('docker json-file', readJsonFile)
export const kubernetes = containerFormat('Kubernetes', readCri)
export const journal = containerFormat('journald JSON', readJournal)
