// Shows the response and its explanation on the explorer page, whose elements are in explorer.html.

import { count } from '../../text.ts'
import type { ExplainResponse } from '../explain.ts'
import type { LookupResponse } from './gateway.ts'

/** @throws Error if the page has no such element */
export function byId(id: string): HTMLElement
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind
export function byId(id: string, kind = HTMLElement): HTMLElement {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`no ${kind.name} #${id}`)
}

/** Makes an element. A text never becomes markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** Writes characters that are invisible, or that reorder the text around them, as numbers. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** Shows a text that may be long. The keyboard scrolls only an element that takes the focus. */
export function showText(shown: HTMLElement, label: string, text: string): HTMLElement {
  shown.tabIndex = 0
  shown.role = 'group'
  shown.ariaLabel = label
  shown.textContent = text
  return shown
}

export function showResponse(response: LookupResponse | null): void {
  const { status, type, bytes, body } = response ?? { status: 0, type: '', bytes: 0, body: '' }
  const outcome = `HTTP ${status} · ${type ?? 'no Content-Type'} · ${count(bytes)} bytes`
  byId('outcome').textContent = response === null ? 'The gateway does not respond.' : outcome
  showText(byId('body'), 'Response body', body)
}

/** @param explanation `null` if the gateway does not explain the request */
export function showExplanation(explanation: ExplainResponse | null): void {
  byId('explained').hidden = explanation === null
  showOperation(explanation?.operation ?? null)
  if (explanation === null) return
  const { request, answer, error, dialect, timings, service } = explanation
  const { version, store, ready, users, apps } = service
  const state = ready ? `ready · ${countOf(users)} users · ${countOf(apps)} apps` : 'does not respond'
  byId('service').textContent = `Version ${version} · ${store} store: ${state}`
  const { parse, execute, write } = timings
  const rows: Readonly<Record<string, readonly string[]>> = {
    Event: [request.event ?? 'none'],
    Format: [request.format],
    Parameters: request.parameters.map(
      ({ name, value, known }) => `${name} = ${value}${known ? '' : ' (ignored)'}`,
    ),
    Values: request.values,
    Found: error === null ? [`${count(answer.found)} of ${count(request.values.length)}`] : [],
    'Not found': answer.missing,
    Error: error === null ? [] : [`${error.code}: ${error.message}`],
    'Choices that applied': dialect.map(
      (choice) => `${textOf(choice)}, by default ${JSON.stringify(choice.default)}`,
    ),
    Dialect: service.dialect.map(textOf),
    Milliseconds: [`${parse} to parse, ${execute} to execute, ${write} to write`],
  }
  const shown = Object.entries(rows).filter(([, lines]) => lines.length > 0)
  byId('explanation').replaceChildren(...shown.map(([head, lines]) => rowOf(head, lines)))
}

/** @param operation `null` if the request was rejected before it became an operation */
function showOperation(operation: ExplainResponse['operation']): void {
  byId('operation').hidden = operation === null
  byId('no-operation').hidden = operation !== null
  if (operation === null) return
  const { query } = operation
  const variables = JSON.stringify(operation.variables, null, 2)
  showText(byId('query'), 'GraphQL query', query)
  showText(byId('variables'), 'Variables', variables)
  // Without GraphiQL, the page has no link to it.
  const address = `graphql?${new URLSearchParams({ query, variables })}`
  document.getElementById('open')?.setAttribute('href', address)
}

const textOf = ({ choice, value }: { readonly choice: string; readonly value: unknown }) =>
  `${choice}: ${JSON.stringify(value)}`

function rowOf(head: string, lines: readonly string[]): HTMLElement {
  const text = lines.map(visible).join('\n')
  const isLong = text.length > 500 || lines.length > 10
  const cell = isLong ? showText(element('pre', {}), head, text) : element('code', {}, text)
  return element('tr', {}, element('th', { scope: 'row' }, head), element('td', {}, cell))
}

function countOf(rows: ExplainResponse['service']['users']): string {
  return rows === null ? 'an unknown number of' : `${rows.exact ? '' : 'at least '}${count(rows.count)}`
}

/** Selects and copies a text. A page over plain HTTP has no navigator.clipboard, but it has execCommand. */
export function copyText(id: string): void {
  getSelection()?.selectAllChildren(byId(id))
  document.execCommand('copy')
}
