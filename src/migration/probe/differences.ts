// Lists the differences of two responses, each with its effect on clients.

import type { LegacyResponse } from '../../legacy/errors.ts'
import type { NoResponse } from '../../stores/old-service/call.ts'
import { compareResponses } from '../compare/compare.ts'
import type { Difference } from '../compare/difference.ts'
import type { EntriesMeaning } from '../compare/meaning.ts'
import { type JudgementName, judgements } from './judgements.ts'
import { describe, meaningOfResponse, responseOf } from './responses.ts'

export interface ProbeComparison {
  readonly result: 'same bytes' | 'same meaning' | 'different'
  /** Empty if the bytes are the same. */
  readonly differences: readonly JudgementLine[]
}

interface JudgementLine {
  readonly line: string
  readonly judgement: JudgementName
}

export function compare(old: LegacyResponse, gateway: LegacyResponse): ProbeComparison {
  if (old.status === gateway.status && old.body === gateway.body && old.type === gateway.type)
    return { result: 'same bytes', differences: [] }
  const [was, is] = [responseOf(old), responseOf(gateway)]
  // typeOf compares the Content-Type of errors, too.
  const found = compareResponses(was, is)
    .differences.filter(({ kind }) => kind !== 'header')
    .map((difference): JudgementLine => ({ line: lineOf(difference), judgement: judgementOf(difference) }))
  const differences = [...found, ...(found.length === 0 ? formOf(old, gateway) : []), ...typeOf(old, gateway)]
  const isSame = differences.every(({ judgement }) => judgements[judgement].harmless)
  return { result: isSame ? 'same meaning' : 'different', differences }
}

/** The old service redirects a request, or has no response. The gateway always has one. */
export function withoutResponse(old: NoResponse): ProbeComparison {
  const line = `the response: old service: ${describe(old).replace(/: use that address$/, '')}; gateway responds`
  return { result: 'different', differences: [{ line, judgement: 'refusal' }] }
}

function lineOf({ scope, field, kind, old, new: fresh }: Difference): string {
  const name = scope === 'response' ? 'the response' : field
  if (kind === 'missing') return `${name} is missing: ${old}`
  if (kind === 'extra') return `${name} is only in the gateway's response: ${fresh}`
  return `${name}: old service ${old}; gateway ${fresh}`
}

const byKind: Readonly<Record<Difference['kind'], JudgementName>> = {
  refused: 'refusal',
  status: 'status',
  header: 'mediaType',
  format: 'format',
  unreadable: 'reading',
  root: 'elementOrder',
  missing: 'missingField',
  extra: 'extraField',
  type: 'otherValue',
  value: 'otherValue',
  order: 'elementOrder',
}

function judgementOf({ scope, kind, types }: Difference): JudgementName {
  if (scope === 'entry' && kind !== 'order') return 'unknown'
  if (types === undefined) return byKind[kind]
  if (types.includes('null')) return 'nullValue'
  if (types.includes('boolean')) return types.includes('number') ? 'booleanAsNumber' : 'booleanAsText'
  return 'numberAsText'
}

/** Differences in form: order, empty lists, characters, white space. */
function formOf(old: LegacyResponse, gateway: LegacyResponse): JudgementLine[] {
  const [one, other] = [old.body, gateway.body]
  if (one === other) return []
  const [was, is] = [meaningOfResponse(responseOf(old)), meaningOfResponse(responseOf(gateway))]
  const findingOf = (judgement: JudgementName) => [{ line: excerptOf(one, other), judgement }]
  if (one.startsWith(BYTE_ORDER_MARK) !== other.startsWith(BYTE_ORDER_MARK)) return findingOf('byteOrderMark')
  if (was.kind !== 'entries' || is.kind !== 'entries') {
    const isShapeSame = withoutWords(one) === withoutWords(other)
    return findingOf(old.status < 400 && !isShapeSame ? 'errorShape' : 'errorWords')
  }
  if (/^\s*\[/.test(one) !== /^\s*\[/.test(other)) return findingOf('emptyList')
  if (orderIn(one, was) !== orderIn(other, is)) return findingOf('entryOrder')
  return findingOf(/[\x80-\xff]/.test(one) === /[\x80-\xff]/.test(other) ? 'layout' : 'letters')
}

/** JSON.parse moves names that are integers to the front. */
function orderIn(body: string, { format, entries }: EntriesMeaning): string {
  const place = (name: string) => body.indexOf(`"${name}":`)
  const names = [...entries.keys()]
  return (format === 'XML' ? names : names.toSorted((a, b) => place(a) - place(b))).join('\0')
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf'

/** An error without its texts. */
const withoutWords = (text: string) => text.replace(/:\s*"[^"]*(?:"|$)/g, ':""').replace(/>[^<]*/g, '>')

const CONTEXT = 24

function excerptOf(one: string, other: string): string {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  const [old, gateway] = [one, other].map((text) =>
    JSON.stringify(Buffer.from(text.slice(Math.max(0, at - CONTEXT), at + CONTEXT), 'latin1').toString()),
  )
  return `after byte ${at}: old service ${old}; gateway ${gateway}`
}

function typeOf({ type: old }: LegacyResponse, { type: gateway }: LegacyResponse): JudgementLine[] {
  if (old === gateway) return []
  const judgement = mediaType(old) === mediaType(gateway) ? 'mediaTypeDetail' : 'mediaType'
  return [{ line: `Content-Type: old service ${old || 'none'}; gateway ${gateway || 'none'}`, judgement }]
}

function mediaType(type: string): string {
  const [essence = ''] = type.toLowerCase().split(';')
  return /^(?:application|text)\/xml$/.test(essence.trim()) ? 'xml' : essence.trim()
}
