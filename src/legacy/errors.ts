// A refusal → the response: the one that was recorded for its kind, or the contract's.

import { isOurFault, LookupError } from '../errors.ts'
import { escapeHtml } from '../html-text.ts'
import {
  type Add,
  AsciiText,
  type Escapes,
  type FillTemplate,
  filler,
  isInTag,
  replacements,
} from './ascii.ts'
import {
  type Dialect,
  defaultDialect,
  type ErrorKind,
  type Format,
  type RecordedResponse,
} from './dialect.ts'
import { jsonError, jsonEscapes } from './json.ts'
import { charsetEncoder } from './text.ts'
import { xmlError } from './xml.ts'
import { xmlEscapes } from './xml-escapes.ts'

/** An error of the client for which a dialect may have a recorded response. */
export class RefusedRequest extends LookupError {
  readonly kind: ErrorKind
  /** The text that replaces `{value}` in a recorded response. */
  readonly value: string

  constructor(kind: ErrorKind, value: string, ...[code, details]: ConstructorParameters<typeof LookupError>) {
    super(code, details)
    this.kind = kind
    this.value = value
  }
}

export interface LegacyResponse {
  readonly status: number
  /** The Content-Type header. */
  readonly type: string
  /** One character for each byte. */
  readonly body: string
}

/** @param value what stands for `{value}` */
type WriteRecordedResponse = (recorded: RecordedResponse, value: string) => LegacyResponse

/** Chooses the escapes by the text before the value: it may stand inside of a tag. */
type EscapesAfter = (before: string) => Escapes

function writerOf(
  escapesIn: (recorded: RecordedResponse) => EscapesAfter,
  charset: Dialect['json']['charset'],
): WriteRecordedResponse {
  const encode = charsetEncoder(charset)
  // A refusal must cost less than a response, or an attacker would ask for refusals: each body is split once.
  const fillers = new Map<RecordedResponse, FillTemplate>()
  return (recorded, value) => {
    const fill = fillers.get(recorded) ?? filler(recorded.body, escapesIn(recorded))
    fillers.set(recorded, fill)
    const out = new AsciiText()
    fill(out, value)
    return { status: recorded.status, type: recorded.type, body: encode(out.take()) }
  }
}

export function recordedWriter(dialect: Dialect): WriteRecordedResponse {
  const { errors, json, xml } = dialect
  const inJson = {
    'as texts': jsonEscapes(json),
    escaped: jsonEscapes(defaultDialect.json),
    plain: asItIs,
  }[errors.valuesInJson]
  const inXml = {
    'as texts': xmlEscapes(xml).inText,
    'letters plain': xmlEscapes({ ...xml, lettersInTexts: 'plain' }).inText,
    plain: asItIs,
  }[errors.valuesInXml]
  const inTag = xmlEscapes({ ...xml, apostrophes: '&#039;' }).inValue

  function escapesIn({ type, body }: RecordedResponse): EscapesAfter {
    const text = body.startsWith(json.before) ? body.slice(json.before.length) : body
    // Also of JSON that is sent as text/html: handler.ts keeps browsers from running its scripts.
    if (/^\s*[{["]/.test(text)) return () => inJson
    // A browser runs scripts in a page, so the value of a client is always escaped there.
    const isPage = /html|xml|svg/i.test(type)
    if (!/^\s*</.test(body)) return () => (isPage ? inHtml : asItIs)
    return (before) => (isInTag(before) ? inTag : isPage && inXml === asItIs ? inHtml : inXml)
  }

  return writerOf(escapesIn, errors.charset)
}

/** Writes the response to a refused request. */
export type Refuse = (error: LookupError, format: Format) => LegacyResponse

export function refuserOf(dialect: Dialect, write: WriteRecordedResponse): Refuse {
  const { replies, other, status } = dialect.errors
  const contract = { json: jsonError(dialect), xml: xmlError(dialect) }
  const [inJson, inXml] = [jsonEscapes(dialect.json), xmlEscapes(dialect.xml).inText]
  const writeContract = {
    json: writerOf(() => () => inJson, dialect.json.charset),
    xml: writerOf(() => () => inXml, dialect.xml.charset),
  }
  /** Errors without a recorded response, by format, code and status; there are few. */
  const templates = new Map<string, RecordedResponse>()

  function templateFor(format: Format, code: string, status: number): RecordedResponse {
    const key = `${format} ${code} ${status}`
    const found = templates.get(key)
    if (found !== undefined) return found
    const { type, body } = other[format] ?? { type: dialect[format].type, body: contract[format] }
    // The message is filled in like the value of a recorded response.
    const filled = body.replaceAll('{code}', code).replaceAll('{message}', '{value}')
    const template = { status, type, body: filled }
    templates.set(key, template)
    return template
  }

  return (error, format) => {
    if (error instanceof RefusedRequest) {
      const recorded = replies[error.kind]?.[format] ?? replies[error.kind]?.json
      if (recorded !== undefined) return write(recorded, error.value)
    }
    const wanted = status ?? other[format]?.status ?? error.status
    const template = templateFor(format, error.code, keepsStatus(wanted, error) ? error.status : wanted)
    return (other[format] === null ? writeContract[format] : write)(template, error.message)
  }
}

/**
 * Whether an error keeps its own status although all errors have one. An outage as 404 would say that nothing
 * is there, and no client would retry. 200 is for clients that cannot read any other status.
 */
function keepsStatus(status: number, { code }: LookupError): boolean {
  return status !== 200 && (code === 'TooManyRequests' || isOurFault(code))
}

const beyond: Add = (out, codePoint) => out.addUtf8(codePoint)
const asItIs: Escapes = { ascii: replacements(String), beyond }
const inHtml: Escapes = { ascii: replacements(escapeHtml), beyond }
