// The form of the explorer page: the parameters of a request, and its address.

import type { DialectEvent } from '../../legacy/events.ts'
import { queryWithin } from './query.ts'
import { byId, element, visible } from './views.ts'

type FormParameter = DialectEvent['parameters'][number]

/** A parameter of every event. */
const format: FormParameter = {
  name: 'Format',
  required: false,
  description: 'Without it, the response is JSON.',
  allowed: ['JSON', 'XML'],
  example: 'JSON',
}

/**
 * The request as a text and as controls. Each follows the other.
 * @param lookUp is called when the form is submitted, and when a control has a new value
 */
export function createForm(events: readonly DialectEvent[], lookUp: () => void) {
  const form = byId('form', HTMLFormElement)
  const fields = byId('fields')
  const request = byId('request', HTMLInputElement)
  const event = byId('event', HTMLSelectElement)
  const names = events.map(({ name }) => name)
  const chosen = () => events.find(({ name }) => name === event.value)
  const parameters = () => [...(chosen()?.parameters ?? []), format]
  event.append(...optionsFor(names, names[0] ?? ''))

  function show(text: string): void {
    request.value = text
    const given = new URLSearchParams(queryWithin(text))
    event.replaceChildren(...optionsFor(names, given.get('Event') ?? ''))
    byId('description').textContent = chosen()?.description ?? ''
    const controls = parameters().map((parameter) => controlFor(parameter, given.get(parameter.name) ?? ''))
    byId('parameters').replaceChildren(...controls)
  }

  /** Writes the request that the controls show. A parameter that has no control yet gets its example. */
  function write(): void {
    const shown = new FormData(form)
    const given = new URLSearchParams({ Event: event.value })
    for (const { name, allowed, example } of parameters()) {
      const value = String(shown.get(name) ?? example)
      if (value !== allowed?.[0]) given.set(name, value)
    }
    // Lists have colons, which stay readable.
    request.value = `/?${String(given).replaceAll('%3A', ':')}`
  }

  /** Shows a request for the chosen event. */
  function showExample(): void {
    write()
    show(request.value)
  }

  fields.addEventListener('input', ({ target }) => (target === event ? showExample() : write()))
  fields.addEventListener('change', lookUp)
  request.addEventListener('input', () => show(request.value))
  form.addEventListener('submit', (submission) => {
    submission.preventDefault()
    lookUp()
  })
  return { query: () => queryWithin(request.value), show, showExample }
}

function controlFor({ name, description, allowed, example }: FormParameter, value: string): HTMLElement {
  const attributes = { id: `parameter-${name}`, name, 'aria-describedby': `about-${name}` }
  const control =
    allowed === undefined
      ? element('input', { ...attributes, value, placeholder: example })
      : element('select', attributes, ...optionsFor(allowed, value || (allowed[0] ?? '')))
  const label = element('label', { for: control.id }, name)
  return element('div', {}, label, control, element('small', { id: `about-${name}` }, description))
}

/** A wrong value of a request gets an option of its own. */
function optionsFor(names: readonly string[], chosen: string): HTMLOptionElement[] {
  const all = names.includes(chosen) ? names : [...names, chosen]
  return all.map((name) => new Option(visible(name) || 'none', name, name === chosen, name === chosen))
}
