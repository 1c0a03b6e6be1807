// Lists the differences of two responses as a replay does, each with its effect on clients: jQuery, PHP,
// Jackson and Newtonsoft.Json with their default options.

import type { LegacyResponse } from '../../legacy/errors.ts'
import type { NoResponse } from '../../stores/old-service/call.ts'
import { compareResponses } from '../compare/compare.ts'
import { type Difference, explainKind } from '../compare/difference.ts'
import { sharedEnds } from './evidence.ts'
import { responseOf } from './responses.ts'

/** The effect of each kind of difference on clients. */
const effects: Readonly<Record<Difference['kind'] | 'form', string>> = {
  refused: 'The call fails instead of success, or the reverse.',
  status: 'A test for this status fails. Below 400, PHP and Java see no error.',
  format: 'Clients cannot parse the response.',
  unreadable: 'Clients cannot parse the response.',
  header: '$.get parses by the Content-Type: JSON as text/html stays a text.',
  root: 'Clients that look for the root do not find it.',
  missing: 'Clients get undefined, null or a default. A test for null, false or [] fails.',
  extra: 'Jackson fails on unknown fields. A test for a missing entry fails.',
  type: '=== fails, methods of null throw. Jackson and Newtonsoft convert numbers, but not "1" to true.',
  value: 'Clients show another value.',
  order: 'Clients that read by position get the wrong element.',
  form: 'None, unless a client depends on the order of entries, or expects {} and gets [].',
}
const FORM = 'different form: white space, escapes, order of entries in JSON, words of an error'

/** A row of a table. */
export const describeEffect = (judgement: JudgementLine['judgement']) => [
  judgement === 'form' ? FORM : explainKind(judgement),
  effects[judgement],
]

export interface ProbeComparison {
  readonly result: 'same bytes' | 'same meaning' | 'different'
  /** Empty if the bytes are the same. */
  readonly differences: readonly JudgementLine[]
}

interface JudgementLine {
  readonly line: string
  readonly judgement: Difference['kind'] | 'form'
}

export function compare(old: LegacyResponse, gateway: LegacyResponse): ProbeComparison {
  if (old.status === gateway.status && old.body === gateway.body && old.type === gateway.type)
    return { result: 'same bytes', differences: [] }
  const { verdict, differences } = compareResponses(responseOf(old), responseOf(gateway))
  if (verdict !== 'different')
    return {
      result: 'same meaning',
      differences: [{ line: firstDifference(old, gateway), judgement: 'form' }],
    }
  const lines = differences.map((one) => ({ line: lineOf(one), judgement: one.kind }))
  return { result: 'different', differences: lines }
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

/** Characters before and behind the first byte that differs. */
const CONTEXT = 24

function firstDifference(old: LegacyResponse, gateway: LegacyResponse): string {
  if (old.body === gateway.body)
    return `Content-Type: old service ${old.type || 'none'}; gateway ${gateway.type || 'none'}`
  const { start: at } = sharedEnds(old.body, gateway.body)
  const [was, is] = [old, gateway].map(({ body }) =>
    JSON.stringify(Buffer.from(body.slice(Math.max(0, at - CONTEXT), at + CONTEXT), 'latin1').toString()),
  )
  return `after byte ${at}: old service ${was}; gateway ${is}`
}
