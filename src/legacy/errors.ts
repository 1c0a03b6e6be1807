// A refusal → the response: the one that was recorded for its kind, or the contract's.

import { isOurFault, type LookupError } from '../errors.ts'
import { escapeHtml } from '../html-text.ts'
import { AsciiText, ascii, type Escapes, filler, isInTag, utf8 } from './ascii.ts'
import { type Dialect, defaultDialect, type Format, type RecordedReply, rootOf } from './dialect.ts'
import { jsonEscapes, jsonLine } from './json.ts'
import { RefusedRequest } from './request.ts'
import { charsetEncoder } from './text.ts'
import { headOf, nameOf, xmlEscapes, xmlLine } from './xml.ts'

export interface Reply {
  readonly status: number
  /** The Content-Type header. */
  readonly type: string
  /** One character for each byte. */
  readonly body: string
}

/** @param value what stands for `{value}` */
export type WriteRecorded = (recorded: RecordedReply, value: string) => Reply

export function recordedWriter(dialect: Dialect): WriteRecorded {
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
  const encode = charsetEncoder(errors.charset)

  function escapesIn({ type, body }: RecordedReply): (before: string) => Escapes {
    if (/^\s*[{["]/.test(body)) return () => inJson
    // A browser runs scripts in a page, so the value of a client is always escaped there.
    const isPage = /html|xml|svg/i.test(type)
    if (!/^\s*</.test(body)) return () => (isPage ? inHtml : asItIs)
    return (before) => (isInTag(before) ? inTag : isPage && inXml === asItIs ? inHtml : inXml)
  }

  // A refusal must cost less than a response, so each recorded body is split once.
  const fillers = new Map<RecordedReply, ReturnType<typeof filler>>()
  return (recorded, value) => {
    const fill = fillers.get(recorded) ?? filler(recorded.body, escapesIn(recorded))
    fillers.set(recorded, fill)
    const out = new AsciiText()
    fill(out, value)
    const text = out.take()
    const { status, type } = recorded
    return { status, type, body: encode === null ? text : encode(text) }
  }
}

/** Writes the response to a refused request. */
export type Refuse = (error: LookupError, format: Format) => Reply

export function refuserOf(dialect: Dialect, write: WriteRecorded): Refuse {
  const { replies, other, status } = dialect.errors
  const writeContract = contractWriter(dialect)
  /** `errors.other` for each code and status; there are few. */
  const templates = new Map<string, RecordedReply>()

  function templateFor(format: Format, template: RecordedReply, code: string, status: number): RecordedReply {
    const key = `${format} ${code} ${status}`
    const body = () => template.body.replaceAll('{code}', code).replaceAll('{message}', '{value}')
    const found = templates.get(key) ?? { ...template, status, body: body() }
    templates.set(key, found)
    return found
  }

  return (error, format) => {
    const kind = error instanceof RefusedRequest ? error.reply : null
    const recorded = kind === null ? undefined : (replies[kind]?.[format] ?? replies[kind]?.json)
    if (recorded !== undefined) return write(recorded, error instanceof RefusedRequest ? error.value : '')
    const template = other[format]
    const one = status ?? template?.status ?? error.status
    const sent = keepsStatus(one, error) ? error.status : one
    if (template === null)
      return { status: sent, type: dialect[format].type, body: writeContract[format](error) }
    return write(templateFor(format, template, error.code, sent), error.message)
  }
}

/**
 * Whether an error keeps its own status although all errors have one. An outage as 404 would say that nothing
 * is there, and no client would retry. 200 is for clients that cannot read any other status.
 */
function keepsStatus(status: number, { code }: LookupError): boolean {
  return status !== 200 && (code === 'TooManyRequests' || isOurFault(code))
}

/** The errors of the contract, in the layout of the dialect. */
function contractWriter(dialect: Dialect): Readonly<Record<Format, (error: LookupError) => string>> {
  const { colon, comma, end, before } = dialect.json
  const inJson = jsonEscapes(dialect.json)
  const { inText } = xmlEscapes(dialect.xml)
  const lineAt = jsonLine(dialect.json)
  const json = [
    `${before}{${lineAt(1)}"Error"${colon}{${lineAt(2)}"Code"${colon}"`,
    `"${comma}${lineAt(2)}"Message"${colon}"`,
    `"${lineAt(1)}}${lineAt(0)}}${end}`,
  ] as const
  const { xml } = dialect
  const elementAt = xmlLine(xml)
  const inMarkup = [
    `${headOf(dialect)}>${elementAt(1)}<Error>${elementAt(2)}<Code>`,
    `</Code>${elementAt(2)}<Message>`,
    `</Message>${xml.fieldLines ? elementAt(1) : ''}</Error>${elementAt(0)}</${nameOf(rootOf(dialect))}>${xml.end}`,
  ] as const
  return { json: partsWriter(json, inJson), xml: partsWriter(inMarkup, inText) }
}

function partsWriter(
  parts: readonly [string, string, string],
  escapes: Escapes,
): (error: LookupError) => string {
  const [start, between, end] = parts.map((part) => ascii(utf8(part)))
  return ({ code, message }) => {
    const out = new AsciiText()
    out.addBytes(start ?? nothing)
    out.add(code)
    out.addBytes(between ?? nothing)
    out.addEscaped(message, escapes)
    out.addBytes(end ?? nothing)
    return out.take()
  }
}

const nothing = ascii('')

const asItIs: Escapes = {
  ascii: Array.from({ length: 0x80 }, () => null),
  beyond: (out, codePoint) => out.addUtf8(codePoint),
}

const inHtml: Escapes = {
  ...asItIs,
  ascii: asItIs.ascii.map((_, code) => {
    const character = String.fromCharCode(code)
    const written = escapeHtml(character)
    return written === character ? null : ascii(written)
  }),
}
