// The page for operators: from plain data to HTML. Each part has its own time: what hangs is said to be
// unknown, and the rest is shown.

import { hash } from 'node:crypto'
import { type Html, html } from '../pages/html.ts'
import { page, section, stylesheet } from '../pages/page.ts'
import type { PagePart } from '../pages/part.ts'
import { within } from './within.ts'
import { moment } from './words.ts'

/** Milliseconds that a part has. */
const PART_TIMEOUT_MS = 2_000
/** Seconds between two refreshes. */
const REFRESH_S = 5

export interface Rendered {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** @param isPaused whether it stays as it is until it is asked for again */
export async function render(
  summary: Html,
  parts: readonly PagePart[],
  isPaused: boolean,
): Promise<Rendered> {
  const sections = await Promise.all(parts.map(partOf))
  const text = page(
    'Lookup Service · Operations',
    html`${refreshing(isPaused)}
${summary}`,
    html`${sections}`,
  )
  return { text, headers: { ...headers(), ...(isPaused ? {} : { Refresh: String(REFRESH_S) }) } }
}

async function partOf({ title, body }: PagePart): Promise<Html> {
  const made = await within(PART_TIMEOUT_MS, Promise.resolve().then(body))
  if (made === null) return html``
  return section(title, made ?? html`<p class="bad">Unknown: no answer in time.</p>`)
}

/** A page that changes by itself can be stopped (WCAG 2.2.2). */
function refreshing(isPaused: boolean): Html {
  const state = isPaused
    ? html`Automatic refresh is off. <a href="?refresh=off">Refresh now</a> <a href="./">Refresh automatically</a>`
    : html`Refreshes every ${REFRESH_S} seconds. <a href="?refresh=off">Pause</a>`
  return html`<p class="faint">As of ${moment(new Date())}.
${state}</p>
<nav aria-label="More"><a href="ready">ready</a> <a href="metrics">metrics</a></nav>`
}

/** Nothing but its own style is loaded, and it is shown in no other page. */
function headers(): Readonly<Record<string, string>> {
  const style = `'sha256-${hash('sha256', stylesheet(), 'base64')}'`
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${style}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    Vary: 'Accept',
  }
}
