// The sections on the dial and on comparisons, for the page for operators.

import type { Config } from '../config/config.ts'
import { type CountsOf, sumOf } from '../observe/counts.ts'
import type { ShadowResult } from '../observe/events.ts'
import { figuresOf, verdict } from '../pages/figures.ts'
import { type Html, html } from '../pages/html.ts'
import { section } from '../pages/page.ts'
import { count, counted, percent } from '../text.ts'
import { type describe, PATH } from './cutover/page.ts'

type DialDescription = ReturnType<typeof describe>

/** @param host of the request for the page */
export function dialSection(dial: DialDescription, host: string): Html {
  const { share, events, set, by, pins, fallback, mirror, guard, old, new: own } = dial
  const found = `${count(guard.bad)} of ${count(guard.compared)} compared responses differed or failed`
  const who = `${count(guard.badClients)} of ${counted(guard.clients, 'client')}`
  const guarded = {
    off: html`<p>The guard is off.</p>`,
    watching: html`<p>The guard watches: in the last ${guard.window} seconds, ${found}, for ${who}. It acts from
${guard.needs} clients on.</p>`,
    back: html`<p class="bad">The guard turned the dial back from ${set} to 0 at ${guard.since ?? ''}: ${found} for
${guard.event ?? ''}, for ${who}. Fix the cause, then set the dial again.</p>`,
  }
  const ofEvents = Object.entries(events).map(
    ([event, part]) => html`, for ${event} <strong>${percent(part)}</strong>`,
  )
  const side = (name: string, { answered, fallbacks, unanswered }: DialDescription['new']) =>
    html`<p>Requests of clients of ${name}: ${count(answered)} answered, ${count(fallbacks)} answered by the other side,
${count(unanswered)} not answered.</p>`
  return section(
    'The dial',
    html`<p>The gateway answers <strong>${percent(share)}</strong> of the legacy clients${ofEvents}, identified by
${by}. The old service, which ${old.up ? 'responds' : html`<strong>does not respond</strong>`}, answers the others; the
gateway compares ${percent(mirror)} of these responses with its own. ${counted(pins, 'pin')} in <code>CUTOVER_PINS</code>. Fallback to the other side is
${fallback ? 'on' : 'off'}.</p>
${guarded[guard.state]}${side('the old service', old)}${side('the gateway', own)}
<p>Set it: <code>curl -X PUT 'http://${host}${PATH}?share=0.1'</code>. See <code>docs/migration-tools.md</code>.</p>`,
  )
}

const resultNames: Readonly<Record<ShadowResult, string>> = {
  bytes: 'same bytes',
  meaning: 'same meaning, different bytes',
  ignored: 'same except for ignored differences',
  different: 'different meaning',
  'gateway-failed': 'only the old service answered',
  failed: 'the old service did not respond',
  dropped: 'not compared: too many, or too large',
}

/** By the side whose response the client got. */
const directions = {
  new: 'Responses of the gateway, compared with the old service:',
  old: 'Responses of the old service, compared with the gateway:',
} as const

export function shadowSection({ shadow, cutover }: Config, counts: CountsOf): Html {
  const all = counts('lookup_shadow_comparisons_total')
  const isOn = (shadow.url !== null && shadow.sample > 0) || cutover.mirror > 0
  if (all.length === 0 && !isOn) return html``
  const sum = (...results: readonly ShadowResult[]) =>
    sumOf(all.filter(({ labels }) => results.some((one) => one === labels.result)))
  const judged = sum('bytes', 'meaning', 'ignored', 'different')
  const sentence = `Another meaning: ${count(sum('different'))} of ${counted(judged, 'compared response')}.`
  const isSame = sum('different', 'gateway-failed') === 0
  const parts = Object.entries(directions).map(([side, title]) => {
    const ofSide = all.filter(({ labels }) => labels.answered_by === side)
    const figures = Object.entries(resultNames).map(([result, name]) => {
      return { value: count(sumOf(ofSide.filter(({ labels }) => labels.result === result))), name }
    })
    return ofSide.length === 0 ? html`` : html`<p>${title}</p>${figuresOf(figures)}`
  })
  return section(
    'Compared with the old service',
    html`${
      judged === 0
        ? verdict('open', 'Not known', 'No response was compared yet.')
        : verdict(isSame ? 'good' : 'wrong', isSame ? 'Same' : 'Different', sentence)
    }
${parts}
<p>The log has the differences, in lines of the type <code>shadow-differs</code>. See <code>docs/migration-tools.md</code>.</p>`,
  )
}
