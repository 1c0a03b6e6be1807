// What stands around a request and its answer: the same in code, the fields of the event, and what runs here.

import type { ShownEvent } from '../pages/explorer.ts'
import { copyButton } from './copy.ts'
import { byId, element, rows } from './elements.ts'
import { type Explained, lookupAt } from './gateway.ts'
import { snippetsFor } from './snippets.ts'
import { showTabs } from './tabs.ts'

/** The language that was looked at last. */
let language = 'curl'

export function showSnippets(query: string, format: 'JSON' | 'XML'): void {
  const url = new URL(lookupAt(query), location.href).href
  const tabs = snippetsFor(url, format).map(({ language: name, code }) => {
    const shown = element('pre', { tabindex: '0', 'aria-label': name }, code)
    const actions = element('p', { class: 'actions' }, copyButton('code', code, shown))
    return { name, panel: element('div', { class: 'panel' }, shown, actions) }
  })
  showTabs(byId('snippets', HTMLElement), 'snippets', tabs, language, (name) => {
    language = name
  })
}

export function showFields({ name, fields }: ShownEvent): void {
  byId('fields-of', HTMLElement).textContent = name
  const lines = fields.map(({ name, type, description, inXml = '' }) => {
    return [name, type, `${description} ${inXml}`.trim()] as const
  })
  byId('fields', HTMLElement).replaceChildren(rows(lines))
}

const stores: Readonly<Record<string, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  'old-service': 'The old service',
}

export function showService({ version, store, ready, users, apps }: Explained['service']): void {
  const number = (counted: typeof users) =>
    counted === null
      ? 'any number of'
      : `${counted.exact ? '' : 'at least '}${counted.count.toLocaleString('en')}`
  const kind = stores[store] ?? store
  const state = ready ? `answers · ${number(users)} users · ${number(apps)} apps` : 'does not answer'
  byId('service', HTMLElement).textContent = `Version ${version} · ${kind} ${state}`
}
