// The explorer: what a legacy request becomes, and what comes back. The address of the page holds the request, behind #.

import { answerPanel, problem } from './answer-view.ts'
import { copyButton } from './copy.ts'
import { byId, element, rows } from './elements.ts'
import { showExplanation } from './explanation-view.ts'
import { createForm } from './form.ts'
import { askExplanation, askLegacy, type Explained } from './gateway.ts'
import { readEvents } from './page-data.ts'
import { inFormat } from './query.ts'
import { snippetsFor } from './snippets.ts'
import { showTabs } from './tabs.ts'

const events = readEvents()
const graphiql = document.getElementById('graphiql') !== null
const form = createForm(events, lookUpAnew)
const status = byId('status', HTMLElement)
let language = 'curl'
let going = new AbortController()

/** Looks up what the form holds. The browser's way back leads to what was looked up before. */
function lookUpAnew(): void {
  const address = `#${form.query()}`
  if (location.hash !== address) history.pushState(null, '', address)
  lookUp(form.query())
}

async function lookUp(query: string): Promise<void> {
  going.abort()
  going = new AbortController()
  const { signal } = going
  say('Looking up …')
  const explained = await askExplanation(query, signal)
  if (signal.aborted) return
  if ('refusal' in explained) {
    byId('became', HTMLElement).replaceChildren(problem(explained.refusal))
    byId('came', HTMLElement).replaceChildren(problem(explained.refusal))
    say(explained.refusal, true)
    return
  }
  const { format } = explained.request
  const [asked, other] = await Promise.all([
    askLegacy(query, signal),
    askLegacy(inFormat(query, format === 'JSON' ? 'XML' : 'JSON'), signal),
  ])
  if (signal.aborted) return
  const [json, xml] = format === 'JSON' ? [asked, other] : [other, asked]
  const event = events.find(({ name }) => name === explained.request.event)
  showExplanation(explained, graphiql)
  showTabs(
    byId('came', HTMLElement),
    'came',
    [
      { name: 'JSON', panel: answerPanel('JSON', json, event) },
      { name: 'XML', panel: answerPanel('XML', xml, event) },
    ],
    format,
  )
  showSnippets(query, format)
  showFields(explained.request.event)
  showService(explained)
  const { answer, error, request } = explained
  if (error === null) say(`${answer.found} of ${request.values.length} found.`)
  else say(`${error.code}: ${error.message}`, true)
}

function say(text: string, bad = false): void {
  status.textContent = text
  status.className = bad ? 'bad' : ''
}

function showSnippets(query: string, format: 'JSON' | 'XML'): void {
  const url = new URL(`?${query}`, location.href).href
  const tabs = snippetsFor(url, format).map(({ language: name, code }) => {
    const shown = element('pre', { tabindex: '0', 'aria-label': name }, code)
    const panel = element(
      'div',
      { class: 'panel' },
      shown,
      element('p', { class: 'actions' }, copyButton('code', code, shown)),
    )
    return { name, panel }
  })
  showTabs(byId('snippets', HTMLElement), 'snippets', tabs, language, (name) => {
    language = name
  })
}

function showFields(name: string | null): void {
  const event = events.find((known) => known.name === name) ?? events[0]
  byId('fields-of', HTMLElement).textContent = event?.name ?? ''
  const fields = event?.fields ?? []
  byId('fields', HTMLElement).replaceChildren(
    rows(
      fields.map(({ name, type, description, inXml }) => [
        name,
        type,
        [description, inXml].filter(Boolean).join(' '),
      ]),
    ),
  )
}

function showService({ service: { version, store, ready, users, apps } }: Explained): void {
  const number = (counted: typeof users) =>
    counted === null
      ? 'an unknown number of'
      : `${counted.exact ? '' : 'more than '}${counted.count.toLocaleString('en')}`
  const names = new Map([
    ['sqlite', 'SQLite'],
    ['postgres', 'PostgreSQL'],
  ])
  const kind = names.get(store) ?? store
  const rows = `${number(users)} users · ${number(apps)} apps`
  byId('service', HTMLElement).textContent =
    `Version ${version} · ${ready ? `${kind} answers · ${rows}` : `${kind} does not answer`}`
}

/** Looks up what the address of the page holds, or what the form starts with. */
function start(): void {
  const query = location.hash.replace(/^#\??/, '')
  if (query !== '') form.show(query)
  else history.replaceState(null, '', `#${form.query()}`)
  lookUp(form.query())
}

addEventListener('popstate', start)
start()
