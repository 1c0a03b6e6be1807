// The body of an error as an old service writes it: a text in which the message has a place.

import { isDeeper, MAX_JSON_LEVELS } from './json-depth.ts'

/** What texts are escaped as. */
type TemplateKind = 'json' | 'xml' | 'html' | 'text'

export interface ErrorTemplate {
  readonly kind: TemplateKind
  /** Literal texts and placeholders in turn: a literal first and last. */
  readonly parts: readonly string[]
}

export const MAX_TEMPLATE_LENGTH = 2000

/** Of the messages that are passed over. */
const MAX_MESSAGE_LENGTH = 500

const placeholders = /(\{(?:message|code|status)\})/

/** Reads a template. @returns `null` where it is none */
export function parseTemplate(text: string): ErrorTemplate | null {
  if (text.length > MAX_TEMPLATE_LENGTH || !text.isWellFormed() || hasControls(text)) return null
  const kind = kindOf(text)
  if (kind === 'json' && !isJson(text)) return null
  // A word that is none of those of the setting is a slip.
  if (kind === 'text' && !/\{(?:message|code)\}/.test(text)) return null
  return { kind, parts: withLineEnds(text, kind).split(placeholders) }
}

/** Tabs and line ends may come as they are: a file of settings may have values of several lines. */
function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, ''))
}

function kindOf(text: string): TemplateKind {
  if (/^\s*<(?:!doctype|html)\b/i.test(text)) return 'html'
  if (/^\s*</.test(text)) return 'xml'
  return /^\s*\{/.test(text) && !placeholders.test(text.trimStart().slice(0, '{message}'.length))
    ? 'json'
    : 'text'
}

/** With a number for the status, and a text for what stands in one. */
function isJson(text: string): boolean {
  const filled = withLineEnds(text, 'json')
    .replaceAll('{status}', '400')
    .replace(/\{(?:message|code)\}/g, 'x')
  if (isDeeper(filled, MAX_JSON_LEVELS)) return false
  try {
    JSON.parse(filled)
    return true
  } catch {
    return false
  }
}

const lineEnds: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t' }

/** In a text of JSON, they are JSON's own. */
function withLineEnds(text: string, kind: TemplateKind): string {
  const escaped = kind === 'json' ? /"(?:[^"\\]|\\.)*"|\\[nrt]/g : /\\[nrt]/g
  return text.replace(escaped, (found) => lineEnds[found] ?? found)
}

/** As one would write it, on one line. */
export function onOneLine(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/**
 * Reads what stands at a place of a template in an error that was written by it. @returns `null` for another
 * body, and where the template has no such place, or several
 */
export function partReader(
  { kind, parts }: ErrorTemplate,
  place: '{message}' | '{code}',
): (body: string) => string | null {
  if (parts.filter((part) => part === place).length !== 1) return () => null
  const at = parts.indexOf(place)
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)].map((some) =>
    some.map(patternOf).join(''),
  )
  const [start, end] = [new RegExp(`^${before}`), new RegExp(`${after}$`)]
  return (text) => {
    const first = start.exec(text)?.[0].length
    if (first === undefined) return null
    const rest = text.slice(first)
    const last = end.exec(rest)?.index
    return last === undefined ? null : unescaped(rest.slice(0, last), kind)
  }
}

/** Other places are short, so that little is tried twice. */
function patternOf(part: string): string {
  if (part === '{status}') return '\\d{3}'
  if (part === '{message}') return `(?:[^"<\\\\]|\\\\.){0,${MAX_MESSAGE_LENGTH}}`
  return part === '{code}' ? '[\\w .-]{0,60}' : part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string, kind: TemplateKind): string | null {
  if (kind === 'text') return text
  if (kind === 'json') {
    try {
      const read: unknown = JSON.parse(`"${text}"`)
      return typeof read === 'string' ? read : null
    } catch {
      return null
    }
  }
  if (text.includes('<')) return null
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (all, name, decimal, hex) => {
      if (name !== undefined) return named[name] ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
}
