// The explorer: a legacy request, its response, and its GraphQL operation. The address of the page has the
// request behind #, so that people can share the address.

import type { DialectEvent } from '../../legacy/events.ts'
import { createForm } from './form.ts'
import { explain, send } from './gateway.ts'
import { curlFor, queryWithin } from './query.ts'
import { byId, copyText, showExplanation, showResponse, showText, visible } from './views.ts'

const events: readonly DialectEvent[] = JSON.parse(byId('events').textContent)
const form = createForm(events, () => {
  if (location.hash !== hashOf(form.query())) history.pushState(null, '', hashOf(form.query()))
  lookUp(form.query())
})
let inFlight = new AbortController()

async function lookUp(query: string): Promise<void> {
  inFlight.abort()
  inFlight = new AbortController()
  const { signal } = inFlight
  say('Looking up …')
  // The page knows the path of lookups.
  const address = `${document.documentElement.dataset.lookups ?? ''}?${query}`
  showText(byId('curl'), 'curl', curlFor(new URL(address, location.href).href))
  const [response, explanation] = await Promise.all([send(address, signal), explain(query, signal)])
  if (signal.aborted) return
  showResponse(response)
  if (typeof explanation === 'string') {
    showExplanation(null)
    return say(explanation, true)
  }
  showExplanation(explanation)
  const { answer, error, request } = explanation
  if (error === null) say(`${answer.found} of ${request.values.length} found.`)
  else say(`${error.code}: ${error.message}`, true)
}

function say(text: string, isBad = false): void {
  const status = byId('status')
  status.textContent = visible(text)
  status.className = isBad ? 'bad' : ''
}

/** Looks up the request of the address, or an example. `#?` is a request without parameters. */
function start(): void {
  if (location.hash === '') {
    form.showExample()
    history.replaceState(null, '', hashOf(form.query()))
  } else form.show(`/?${queryWithin(location.hash.slice(1))}`)
  lookUp(form.query())
}

function hashOf(query: string): string {
  return `#${query || '?'}`
}

addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || target.value === '') return
  copyText(target.value)
  say('Copied.')
})
addEventListener('popstate', start)
start()
