// The explorer: a legacy request, its response, and the GraphQL operation that it becomes. The address of the
// page holds the request, behind #.

import type { ShownEvent } from '../pages/explorer.ts'
import { showFields, showGraphqlSnippets, showSnippets } from './about-view.ts'
import { answerPanel, problem } from './answer-view.ts'
import { byId } from './elements.ts'
import { showExplanation } from './explanation-view.ts'
import { count } from './fold.ts'
import { createForm } from './form.ts'
import { askExplanation, askLegacy, type Explained } from './gateway.ts'
import { formatOf, inFormat, queryWithin, readQuery } from './query.ts'
import { showService } from './service-view.ts'
import { showTabs } from './tabs.ts'
import { visible } from './token.ts'

const events = readEvents()
const graphiql = document.getElementById('graphiql') !== null
const form = createForm(events, lookUpAnew)
const status = byId('status', HTMLElement)
/** The format that was asked for last, and the one that was looked at since. */
let shown: { readonly asked: string; looked: string } = { asked: '', looked: '' }
let going = new AbortController()

/** Looks up what the form holds. The browser's way back leads to what was looked up before. */
function lookUpAnew(): void {
  const address = addressOf(form.query())
  if (location.hash !== address) history.pushState(null, '', address)
  lookUp(form.query())
}

/** An address without anything would be that of the page as it starts. */
function addressOf(query: string): string {
  return `#${query === '' ? '?' : query}`
}

async function lookUp(query: string): Promise<void> {
  going.abort()
  going = new AbortController()
  const { signal } = going
  say('Looking up …')
  showSnippets(query, formatOf(query))
  const event = events.find(({ name }) => name === readQuery(query).get('Event')) ?? events[0]
  if (event !== undefined) showFields(event)
  const explained = await askExplanation(query, signal)
  if (signal.aborted) return
  if ('refusal' in explained) {
    byId('became', HTMLElement).replaceChildren(problem(explained.refusal))
    byId('came', HTMLElement).replaceChildren(problem(explained.refusal))
    showGraphqlSnippets(null)
    say(explained.refusal, true)
    return
  }
  await showAnswers(query, explained, signal)
  if (signal.aborted) return
  showExplanation(explained, graphiql)
  showGraphqlSnippets(explained.operation)
  showService(explained.service)
  form.offer(explained.service.examples)
  const { answer, error, request } = explained
  if (error === null) say(`${count(answer.found)} of ${count(request.values.length)} found.`)
  else say(`${error.code}: ${error.message}`, true)
}

/**
 * What comes back in the format that was asked for, and in the other one where the request allows for
 * another.
 */
async function showAnswers(query: string, { request }: Explained, signal: AbortSignal): Promise<void> {
  const { format } = request
  const event = events.find(({ name }) => name === request.event)
  const asked = (['JSON', 'XML'] as const).flatMap((name) => {
    const own = name === format ? query : inFormat(query, name)
    return own === null ? [] : [{ name, answer: askLegacy(own, signal) }]
  })
  const tabs = []
  for (const { name, answer } of asked) tabs.push({ name, panel: answerPanel(name, await answer, event) })
  if (signal.aborted) return
  if (shown.asked !== format) shown = { asked: format, looked: format }
  showTabs(byId('came', HTMLElement), 'came', tabs, shown.looked, (name) => {
    shown.looked = name
  })
}

function say(text: string, bad = false): void {
  status.textContent = visible(text)
  status.className = bad ? 'bad' : ''
}

/** Looks up what the address of the page holds, or an example of what is there. */
async function start(): Promise<void> {
  if (location.hash === '') {
    say('Looking up …')
    const asked = await askExplanation('', going.signal)
    // Somebody may have typed meanwhile.
    if (location.hash !== '') return
    if ('service' in asked) form.offer(asked.service.examples)
    form.begin()
    history.replaceState(null, '', addressOf(form.query()))
  } else form.show(queryWithin(location.hash.slice(1)))
  lookUp(form.query())
}

// On a phone the response is more than the form: its controls are folded.
const isWide = matchMedia('(min-width: 40rem)')
const foldForm = () => {
  byId('build', HTMLDetailsElement).open = isWide.matches
}
isWide.addEventListener('change', foldForm)
foldForm()
addEventListener('popstate', start)
start()

/** The events' declarations, which the gateway puts into the page. */
function readEvents(): readonly ShownEvent[] {
  return JSON.parse(document.getElementById('events')?.textContent ?? '[]')
}
