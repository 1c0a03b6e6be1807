import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { count } from '../../text.ts'
import { adviceOn, isFailure, isOurs } from '../advice.ts'
import type { Looked } from '../looked.ts'
import { requestsBetween } from '../rates.ts'
import { MINUTE_MS } from './summary.ts'

/** Failures by code, those that clients could not have avoided first. */
export function errors({ counts, now, samples }: Looked): Html | null {
  const byCode = new Map<string, number>()
  for (const { labels, value } of counts('lookup_requests_total')) {
    const { outcome = '' } = labels
    if (isFailure(outcome)) byCode.set(outcome, (byCode.get(outcome) ?? 0) + value)
  }
  if (byCode.size === 0) return null
  const minute = samples.before(MINUTE_MS)
  const rows = [...byCode]
    .map(([code, total]) => ({
      code,
      total,
      lately: requestsBetween(minute, now, (outcome) => outcome === code),
    }))
    .toSorted((a, b) => Number(isOurs(b.code)) - Number(isOurs(a.code)) || b.total - a.total)
  return html`<p>Requests that were answered with an error. Failures on our side come first.</p>
${tableOf<(typeof rows)[number]>(
  'Errors',
  [
    { title: 'code', cell: ({ code }) => (isOurs(code) ? html`<strong>${code}</strong>` : code) },
    { title: 'since start', cell: ({ total }) => count(total), number: true },
    { title: 'last minute', cell: ({ lately }) => count(lately), number: true },
    { title: 'what to do', cell: ({ code }) => html`<p class="sentence">${adviceOn(code)}</p>` },
  ],
  rows,
)}`
}
