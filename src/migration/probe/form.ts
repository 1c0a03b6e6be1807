// The form of an answer: what only bytes and headers show, and no careful client relies on.

import { NoReply, type Reply } from '../../stores/old-service/call.ts'
import { shorten } from '../../text.ts'
import type { Outcome } from './ask.ts'
import { describeNoReply } from './describe.ts'

/** Characters of an XML declaration. */
const MAX_SHOWN_LENGTH = 100

type Read = (reply: Reply) => string

export function describeForm(outcome: Outcome, read: Read): string {
  return outcome instanceof NoReply ? describeNoReply(outcome) : read(outcome)
}

export const jsonForm: Read = ({ body }) => {
  const text = body.toString('latin1')
  const slashes = text.includes('\\/') ? ['slashes as \\/'] : text.includes('/') ? ['slashes as /'] : []
  const others = /\\u[0-9a-f]{4}/.test(text)
    ? ['é as \\u00e9']
    : /\\u[0-9A-F]{4}/.test(text)
      ? ['é as \\u00E9']
      : inUtf8(text)
  return [layoutOf(text), ...slashes, ...others].join(', ')
}

export const xmlForm: Read = ({ body }) => {
  const text = body.toString('latin1')
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

export function header(name: string): Read {
  return ({ headers }) => String(headers[name] ?? 'none')
}
