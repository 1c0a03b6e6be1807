// The sections of the page for operators about leaving an old service.

import type { Config } from '../config/config.ts'
import type { CountsOf } from '../observe/counts.ts'
import type { ShadowResult } from '../observe/events.ts'
import { figuresOf, verdict } from '../pages/figures.ts'
import { type Html, html } from '../pages/html.ts'
import { section } from '../pages/page.ts'
import { count, counted, percent } from '../text.ts'
import { type describe, PATH } from './cutover/page.ts'

type Dial = ReturnType<typeof describe>

/** @param host of the request for the page */
export function dialSection({ share, set, by, fallback, guard, old, new: own }: Dial, host: string): Html {
  const found = `${count(guard.bad)} of ${count(guard.compared)} compared responses differed or failed`
  const guarded = {
    off: html`<p>The guard is off.</p>`,
    watching: html`<p>The guard watches: in the last ${guard.window} seconds, ${found}.</p>`,
    back: html`<p class="bad">The guard turned the dial back from ${set} to 0 at ${guard.since ?? ''}: ${found}.
Fix the cause, then set the dial again.</p>`,
  }
  const side = (name: string, { answered, fallbacks, unanswered }: Dial['new']) =>
    html`<p>Requests of clients of ${name}: ${count(answered)} answered, ${count(fallbacks)} answered by the other side,
${count(unanswered)} not answered.</p>`
  return section(
    'The dial',
    html`<p>The gateway answers <strong>${percent(share)}</strong> of the legacy clients, identified by ${by}. The old
service, which ${old.up ? 'responds' : html`<strong>does not respond</strong>`}, answers the others. Fallback to the
other side is ${fallback ? 'on' : 'off'}.</p>
${guarded[guard.state]}${side('the old service', old)}${side('the gateway', own)}
<p>Set it: <code>curl -X PUT 'http://${host}${PATH}?share=0.1'</code>. See <code>docs/cutover.md</code>.</p>`,
  )
}

const meanings: Readonly<Record<ShadowResult, string>> = {
  bytes: 'same bytes',
  meaning: 'same meaning, different bytes',
  ignored: 'same except for ignored differences',
  different: 'different meaning',
  'gateway-failed': 'only the old service answered',
  failed: 'the old service did not respond',
  dropped: 'not compared: too many, or too large',
}

export function shadowSection({ shadow }: Config, counts: CountsOf): Html {
  const results = new Map(
    counts('lookup_shadow_comparisons_total').map(({ labels, value }) => [labels.result, value]),
  )
  if (results.size === 0 && (shadow.url === null || shadow.sample === 0)) return html``
  const of = (result: ShadowResult) => results.get(result) ?? 0
  const judged = of('bytes') + of('meaning') + of('ignored') + of('different')
  const sentence = `Another meaning: ${count(of('different'))} of ${counted(judged, 'compared response')}.`
  const isSame = of('different') + of('gateway-failed') === 0
  const figures = Object.entries(meanings).map(([result, name]) => {
    return { value: count(results.get(result) ?? 0), name }
  })
  return section(
    'Compared with the old service',
    html`${
      judged === 0
        ? verdict('open', 'Not known', 'No response was compared yet.')
        : verdict(isSame ? 'good' : 'wrong', isSame ? 'Same' : 'Different', sentence)
    }
${figuresOf(figures)}
<p>The log has the differences, in lines of the type <code>shadow-differs</code>. See <code>docs/replay.md</code>.</p>`,
  )
}
