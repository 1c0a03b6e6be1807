// Lists the differences of two responses as a replay does, each with its effect on clients: jQuery, PHP,
// Jackson and Newtonsoft.Json with their default options.

import type { LegacyResponse } from '../../legacy/errors.ts'
import type { NoResponse } from '../../stores/old-service/call.ts'
import { compareResponses } from '../compare/compare.ts'
import type { Difference } from '../compare/difference.ts'
import { responseOf } from './responses.ts'

/** Kinds of differences, and their effect on clients. */
export const effects = {
  booleanType: [
    'true and false of another type',
    '=== fails. "0" and "false" are true in JavaScript. Jackson and Newtonsoft fail on "1" and "0".',
  ],
  nullValue: [
    'null where the other has a value',
    'JavaScript throws, isset() is false. Newtonsoft fails if the type takes no null.',
  ],
  numberType: [
    'a number of another type',
    '=== fails, + joins texts. Jackson and Newtonsoft convert the value.',
  ],
  value: ['another value', 'Clients show another value.'],
  missing: ['a field that only the old service sends', 'undefined, null, or the default of the type.'],
  extra: ['a field that only the gateway sends', 'Jackson fails on unknown fields, all others ignore them.'],
  entry: [
    'another way to say that nothing was found',
    'A test for a missing entry, null, false or [] fails. Jackson and Newtonsoft may fail to convert.',
  ],
  order: ['another order in XML, or another root', 'Clients that read by position get the wrong element.'],
  refused: [
    'only one of the services refuses the request',
    'The call fails instead of success, or the reverse.',
  ],
  status: ['another error status', 'A test for this status fails. Below 400, PHP and Java see no error.'],
  format: ['another format, or an unreadable response', 'Clients cannot parse the response.'],
  mediaType: ['another Content-Type', '$.get parses by it: JSON as text/html stays a text.'],
  emptyList: ['[] where the other has {}', 'Jackson and Newtonsoft fail on [] if they expect an object.'],
  form: [
    'another form, such as white space, escapes, order of entries in JSON, or the words of an error',
    'None, unless a client reads the text itself or depends on that order.',
  ],
} as const

type EffectName = keyof typeof effects

export interface ProbeComparison {
  readonly result: 'same bytes' | 'same meaning' | 'different'
  /** Empty if the bytes are the same. */
  readonly differences: readonly JudgementLine[]
}

interface JudgementLine {
  readonly line: string
  readonly judgement: EffectName
}

export function compare(old: LegacyResponse, gateway: LegacyResponse): ProbeComparison {
  if (old.status === gateway.status && old.body === gateway.body && old.type === gateway.type)
    return { result: 'same bytes', differences: [] }
  const { verdict, differences } = compareResponses(responseOf(old), responseOf(gateway))
  if (verdict === 'different')
    return {
      result: 'different',
      differences: differences.map((one) => ({ line: lineOf(one), judgement: effectOf(one) })),
    }
  const isList = ({ body }: LegacyResponse) => /^\s*\[/.test(body)
  const judgement = isList(old) === isList(gateway) ? 'form' : 'emptyList'
  return { result: 'same meaning', differences: [{ line: firstDifference(old, gateway), judgement }] }
}

/** The old service redirects a request, or has no response. The gateway always has one. */
export function withoutResponse(old: NoResponse): ProbeComparison {
  const line = `the response: old service: ${old.message.replace(/: use that address$/, '')}; gateway responds`
  return { result: 'different', differences: [{ line, judgement: 'refused' }] }
}

function lineOf({ scope, field, kind, old, new: fresh }: Difference): string {
  const name = scope === 'response' && field === 'answer' ? 'the response' : field
  if (kind === 'missing') return `${name} is missing: ${old}`
  if (kind === 'extra') return `${name} is only in the gateway's response: ${fresh}`
  return `${name}: old service ${old}; gateway ${fresh}`
}

function effectOf({ scope, kind, types }: Difference): EffectName {
  if (kind === 'type' && types?.includes('null')) return 'nullValue'
  if (kind === 'type') return types?.includes('boolean') ? 'booleanType' : 'numberType'
  if (kind === 'header') return 'mediaType'
  if (kind === 'root') return 'order'
  if (kind === 'unreadable') return 'format'
  return scope === 'entry' && kind !== 'order' ? 'entry' : kind
}

/** Characters before and behind the first byte that differs. */
const CONTEXT = 24

function firstDifference(old: LegacyResponse, gateway: LegacyResponse): string {
  if (old.body === gateway.body)
    return `Content-Type: old service ${old.type || 'none'}; gateway ${gateway.type || 'none'}`
  let at = 0
  while (old.body.charCodeAt(at) === gateway.body.charCodeAt(at)) at++
  const [was, is] = [old, gateway].map(({ body }) =>
    JSON.stringify(Buffer.from(body.slice(Math.max(0, at - CONTEXT), at + CONTEXT), 'latin1').toString()),
  )
  return `after byte ${at}: old service ${was}; gateway ${is}`
}
