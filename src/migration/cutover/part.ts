// The dial on the page for operators.

import { type Html, html } from '../../pages/html.ts'
import type { PagePart } from '../../pages/part.ts'
import { tableOf } from '../../pages/table.ts'
import { count, percent } from '../../text.ts'
import type { Dial } from './dial.ts'
import { describe, PATH, type Shown } from './page.ts'

/** @param host under which the admin port was asked */
export function createDialPart(dial: Dial, settings: Shown, host: string): PagePart {
  return { title: 'The dial', body: () => bodyOf(describe(dial, settings), host) }
}

type Described = ReturnType<typeof describe>

function bodyOf(said: Described, host: string): Html {
  const { share, by, fallback, old } = said
  const sides = [
    { side: 'the old service', ...old },
    { side: 'the gateway', ...said.new },
  ]
  type Side = (typeof sides)[number]
  return html`<p>The gateway answers <strong>${percent(share)}</strong> of the legacy clients. Requests of the others are
passed to the old service, which ${old.up ? 'responds' : html`<strong>does not respond</strong>`}. Clients are told apart
by ${by}. Fallback to the other side is ${fallback ? 'on' : 'off'}.</p>
${guardOf(said)}
${tableOf<Side>(
  'The dial',
  [
    { title: 'clients of', cell: ({ side }) => side },
    { title: 'answered', cell: ({ answered }) => count(answered), number: true },
    { title: 'answered by the other side', cell: ({ fallbacks }) => count(fallbacks), number: true },
    { title: 'not answered', cell: ({ unanswered }) => count(unanswered), number: true },
    { title: 'failures of this side', cell: ({ failures }) => count(failures), number: true },
  ],
  sides,
)}
<p>Set it: <code>curl -X PUT 'http://${host}${PATH}?share=0.1'</code>. See <code>docs/cutover.md</code>.</p>
<p>Next: ${nextOf(said)}</p>`
}

function guardOf({ guard: { state, allowed, compared, bad, window, since }, set }: Described): Html {
  if (state === 'off') return html`<p>The guard is off.</p>`
  const found = html`${count(bad)} of ${count(compared)} compared responses differed or failed`
  if (state === 'back')
    return html`<p class="bad">The guard turned the dial back from ${set} to 0 at ${since ?? ''}: ${found}.</p>`
  return html`<p>The guard watches: in the last ${window} seconds, ${found}; at most
${typeof allowed === 'number' ? percent(allowed) : allowed} may.</p>`
}

/** The next step of the migration. */
function nextOf({ share, guard }: Described): string {
  if (guard.state === 'back') return 'fix the cause, then set the dial again.'
  if (share === 0) return 'give the gateway a small share, such as 0.01.'
  if (share < 1) return 'raise the share, as long as responses do not differ.'
  return 'announce the end to the clients that are left (LEGACY_SUNSET), then remove CUTOVER_URL.'
}
