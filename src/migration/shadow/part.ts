// What came of comparing answers, on the page for operators.

import type { Config } from '../../config.ts'
import type { Count, CountsOf } from '../../counts.ts'
import type { ShadowResult } from '../../observation.ts'
import { verdict } from '../../pages/figures.ts'
import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { count, counted, percent } from '../../text.ts'
import { explainKind } from '../answers/difference.ts'

const meanings: Readonly<Record<ShadowResult, string>> = {
  bytes: 'same bytes',
  meaning: 'same meaning, different bytes',
  ignored: 'same except for ignored differences',
  different: 'different meaning',
  'gateway-failed': 'only the old service answered',
  failed: 'the old service did not respond',
  dropped: 'not compared: too many, or too large',
}
const MAX_SHOWN = 20

export function shadowPart(config: Config, counts: CountsOf): Html | null {
  const compared = counts('lookup_shadow_comparisons_total')
  const { shadow, cutover } = config
  if (compared.length === 0 && (shadow.url === null || shadow.sample === 0)) return null
  const of = (...results: readonly ShadowResult[]) =>
    results.reduce(
      (sum, result) => sum + (compared.find(({ labels }) => labels.result === result)?.value ?? 0),
      0,
    )
  const judged = of('bytes', 'meaning', 'ignored', 'different')
  const rows = Object.entries(meanings).map(([result, meaning]) => ({
    meaning,
    value: compared.find(({ labels }) => labels.result === result)?.value ?? 0,
  }))
  type Row = (typeof rows)[number]
  return html`<p>Responses of the gateway, compared with those of the old service after they were sent. See
<code>docs/replay.md</code>.</p>
${verdictOn(judged, of('different'), of('gateway-failed'))}
${tableOf<Row>(
  'Compared with the old service',
  [
    { title: 'result', cell: ({ meaning }) => meaning },
    { title: 'responses since start', cell: ({ value }) => count(value), number: true },
  ],
  rows.filter(({ value }) => value > 0),
)}
${differences(counts('lookup_shadow_differences_total'))}
${cutover.url === null ? html`<p>Next: ${nextOf(judged, of('different'))}</p>` : ''}`
}

function verdictOn(judged: number, different: number, failed: number): Html {
  if (judged === 0) return verdict('open', 'Not known', 'No response was compared yet.')
  const sentence = `${count(different)} of ${counted(judged, 'compared response')} ${different === 1 ? 'differs' : 'differ'} in meaning (${percent(different / judged)}).`
  return different + failed === 0
    ? verdict('good', 'Same', sentence)
    : verdict('wrong', 'Different', sentence)
}

/** No values: only what differs, and how. */
function differences(all: readonly Count[]): Html {
  if (all.length === 0) return html``
  const rows = all.toSorted((a, b) => b.value - a.value)
  const more = rows.length - MAX_SHOWN
  return html`<h3>What differs</h3>
${tableOf<Count>(
  'What differs',
  [
    { title: 'event', cell: ({ labels }) => labels.event ?? '' },
    { title: 'format', cell: ({ labels }) => labels.format ?? '' },
    { title: 'field', cell: ({ labels }) => labels.field ?? '' },
    { title: 'difference', cell: ({ labels: { kind = '' } }) => explainKind(kind) },
    { title: 'responses', cell: ({ value }) => count(value), number: true },
  ],
  rows.slice(0, MAX_SHOWN),
)}
${more > 0 ? html`<p>${counted(more, 'more row')} on <code>/metrics</code>.</p>` : ''}
<p>The log has the request IDs, in lines of the type <code>shadow-differs</code>.</p>`
}

function nextOf(judged: number, different: number): string {
  if (judged === 0) return 'wait for legacy requests.'
  return different > 0
    ? 'run lookup probe, which finds the settings that remove differences, then lookup replay.'
    : 'move a share of the clients with CUTOVER_URL and CUTOVER_SHARE.'
}
