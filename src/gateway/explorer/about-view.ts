// What stands around a request and its response: the same in code, and the fields of the event.

import type { ShownEvent } from '../pages/explorer.ts'
import { copyButton } from './copy.ts'
import { byId, element, rows } from './elements.ts'
import { type Explained, lookupAt } from './gateway.ts'
import { graphqlSnippetsFor } from './graphql-snippets.ts'
import { type Snippet, snippetsFor } from './snippets.ts'
import { showTabs } from './tabs.ts'

/** The languages that were looked at last, by the place they are in. */
const languages = { graphql: 'fetch', legacy: 'curl' }

export function showSnippets(query: string, format: 'JSON' | 'XML'): void {
  const url = new URL(lookupAt(query), location.href).href
  showCode('legacy', 'legacy code', snippetsFor(url, format))
}

/** @param operation `null` where the request was rejected before it became one */
export function showGraphqlSnippets(operation: Explained['operation']): void {
  if (operation === null) {
    const text = 'None: the request was rejected before it became a GraphQL operation.'
    byId('graphql-snippets', HTMLElement).replaceChildren(element('p', { class: 'faint' }, text))
    return
  }
  const url = new URL('graphql', location.href).href.replaceAll("'", '%27')
  showCode('graphql', 'GraphQL code', graphqlSnippetsFor(url, operation))
}

function showCode(kind: keyof typeof languages, what: string, snippets: readonly Snippet[]): void {
  const tabs = snippets.map(({ language: name, code }) => {
    const shown = element('pre', { tabindex: '0', role: 'group', 'aria-label': `${what}, ${name}` }, code)
    const actions = element('p', { class: 'actions' }, copyButton(what, code, shown))
    return { name, panel: element('div', { class: 'panel' }, shown, actions) }
  })
  showTabs(byId(`${kind}-snippets`, HTMLElement), `${kind}-snippets`, tabs, languages[kind], (name) => {
    languages[kind] = name
  })
}

export function showFields({ name, fields }: ShownEvent): void {
  byId('fields-of', HTMLElement).textContent = name
  const lines = fields.map(({ name, type, description, inXml = '' }) => {
    return [name, type, `${description} ${inXml}`.trim()] as const
  })
  byId('fields', HTMLElement).replaceChildren(rows(lines, 'fields'))
}
