// The form of an answer: what only bytes and headers show, and no careful client relies on.

import type { Reply } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import { charsetOf } from '../answers/text.ts'

/** Characters of an XML declaration. */
const MAX_SHOWN_LENGTH = 100

type Read = (reply: Reply) => string

export const jsonForm: Read = ({ body }) => {
  const text = withoutMark(body).toString('latin1')
  const slashes = text.includes('\\/') ? ['slashes as \\/'] : text.includes('/') ? ['slashes as /'] : []
  // An escape of what is ASCII says nothing of é.
  const others = /\\u(?!00[0-7])[0-9a-f]{4}/.test(text)
    ? ['é as \\u00e9']
    : /\\u(?!00[0-7])[0-9A-F]{4}/.test(text)
      ? ['é as \\u00E9']
      : inUtf8(text)
  return [layoutOf(text), ...slashes, ...others].join(', ')
}

export const xmlForm: Read = ({ body }) => {
  const text = withoutMark(body).toString('latin1')
  const declaration = /^<\?xml[^>]*\?>/.exec(text)?.[0] ?? ''
  // No part may match what the next one matches, nor a `<`: that would take time quadratic in the length of a
  // tag, or worse.
  const empty = /<\w[^<>]*\/>/.test(text)
    ? ['empty as <a/>']
    : /<(\w+)(?:\s[^<>]*)?><\/\1>/.test(text)
      ? ['empty as <a></a>']
      : []
  const others = /&#x[0-9A-F]+;/i.test(text)
    ? ['é as &#xE9;']
    : /&#\d+;/.test(text)
      ? ['é as &#233;']
      : inUtf8(text)
  const shown = declaration === '' ? 'no declaration' : shorten(declaration, MAX_SHOWN_LENGTH)
  return [shown, layoutOf(text.slice(declaration.length).trimStart()), ...empty, ...others].join(', ')
}

const inUtf8 = (text: string) => (/[\x80-\xff]/.test(text) ? ['é as it is'] : [])

function layoutOf(text: string): string {
  const layout = text.trim().includes('\n') ? 'indented' : 'one line'
  return text.endsWith('\n') ? `${layout}, newline at the end` : layout
}

/** The encoding that a header or a declaration names. */
export const charset: Read = (reply) => {
  const declared = /^\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)/.exec(reply.body.toString('latin1', 0, 200))?.[1]
  const named = (charsetOf(reply.headers) || (declared ?? 'utf-8')).toLowerCase()
  return /^(?:utf-?8|us-ascii)$/.test(named) ? 'UTF-8' : shorten(named, MAX_SHOWN_LENGTH)
}

export const byteOrderMark: Read = ({ body }) =>
  withoutMark(body) === body ? 'none' : 'at the beginning of answers'

const MARK = Buffer.from('\ufeff', 'utf8')

function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, MARK.length).equals(MARK) ? body.subarray(MARK.length) : body
}

export function header(name: string): Read {
  return ({ headers }) => String(headers[name] ?? 'none')
}
