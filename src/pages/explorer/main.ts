// The explorer: a legacy request, its response, and its GraphQL operation. The address of the page has the
// request behind #, so that people can share the address.

import type { ShownEvent } from '../../legacy/events.ts'
import { createForm } from './form.ts'
import { explain, receive } from './gateway.ts'
import { curlFor, queryWithin } from './query.ts'
import { byId, copyText, showExplanation, showOperation, showResponse, showText, visible } from './views.ts'

const events: readonly ShownEvent[] = JSON.parse(byId('events').textContent)
const form = createForm(events, () => {
  if (location.hash !== hashOf(form.query())) history.pushState(null, '', hashOf(form.query()))
  lookUp(form.query())
})
let current = new AbortController()

async function lookUp(query: string): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  say('Looking up …')
  // The page knows the path of lookups.
  const address = `${document.documentElement.dataset.lookups ?? ''}?${query}`
  showText(byId('curl'), 'curl', curlFor(new URL(address, location.href).href))
  const [received, explained] = await Promise.all([receive(address, signal), explain(query, signal)])
  if (signal.aborted) return
  showResponse(received)
  const isExplained = typeof explained !== 'string'
  byId('explained').hidden = !isExplained
  showOperation(isExplained ? explained.operation : null)
  if (!isExplained) return say(explained, true)
  showExplanation(explained)
  const { answer, error, request } = explained
  if (error === null) say(`${answer.found} of ${request.values.length} found.`)
  else say(`${error.code}: ${error.message}`, true)
}

function say(text: string, isBad = false): void {
  const status = byId('status')
  status.textContent = visible(text)
  status.className = isBad ? 'bad' : ''
}

/** Opens the request of the address. An address without one means the example, so no request is `#?`. */
function start(): void {
  if (location.hash === '') {
    form.begin()
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
