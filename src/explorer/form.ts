import type { ShownEvent } from '../pages/explorer.ts'
import { byId, element } from './elements.ts'
import { queryWithin, readQuery, writeQuery } from './query.ts'

export interface RequestForm {
  /** The query string that it holds. */
  readonly query: () => string
  /** Puts a query string in, as far as the controls have room for it. */
  readonly show: (query: string) => void
}

/**
 * The request, to be typed into one field or picked from controls; each follows the other.
 * @param changed is told when something else is asked for
 */
export function createForm(events: readonly ShownEvent[], changed: () => void): RequestForm {
  const request = byId('request', HTMLInputElement)
  const event = byId('event', HTMLSelectElement)
  const format = byId('format', HTMLSelectElement)
  const parameters = byId('parameters', HTMLElement)
  const controls = new Map<string, HTMLInputElement | HTMLSelectElement>()
  event.append(...events.map(({ name }) => element('option', { value: name }, name)))

  const chosen = () => events.find(({ name }) => name === event.value)

  function makeControls(given: ReadonlyMap<string, string>): void {
    controls.clear()
    byId('description', HTMLElement).textContent = chosen()?.description ?? ''
    parameters.replaceChildren()
    for (const { name, description, allowed, example } of chosen()?.parameters ?? []) {
      const value = given.get(name)
      const control =
        allowed === undefined
          ? element('input', { value: value ?? example, autocomplete: 'off', spellcheck: 'false' })
          : element('select', {}, ...allowed.map((choice) => element('option', { value: choice }, choice)))
      if (allowed !== undefined && value !== undefined && allowed.includes(value)) control.value = value
      control.id = `parameter-${name}`
      control.setAttribute('aria-describedby', `about-${name}`)
      controls.set(name, control)
      const label = element('label', { for: control.id }, name)
      parameters.append(
        element('div', {}, label, control, element('small', { id: `about-${name}` }, description)),
      )
    }
  }

  function writeRequest(): void {
    const picked = chosen()?.parameters.flatMap(({ name, allowed }) => {
      const value = controls.get(name)?.value ?? ''
      // What is the default anyway is left out, as old clients do.
      return value === allowed?.[0] ? [] : [[name, value] as const]
    })
    const asked = [['Event', event.value] as const, ...(picked ?? [])]
    const query = writeQuery(format.value === 'XML' ? [...asked, ['Format', 'XML'] as const] : asked)
    request.value = `/?${query}`
  }

  function showInControls(query: string): void {
    const given = readQuery(query)
    const named = given.get('Event')
    if (events.some(({ name }) => name === named)) event.value = named ?? ''
    format.value = given.get('Format') === 'XML' ? 'XML' : 'JSON'
    makeControls(given)
  }

  event.addEventListener('change', () => {
    makeControls(new Map())
    writeRequest()
    changed()
  })
  format.addEventListener('change', () => {
    writeRequest()
    changed()
  })
  parameters.addEventListener('input', writeRequest)
  parameters.addEventListener('change', changed)
  request.addEventListener('input', () => showInControls(queryWithin(request.value)))
  byId('form', HTMLFormElement).addEventListener('submit', (submission) => {
    submission.preventDefault()
    changed()
  })
  makeControls(new Map())
  writeRequest()

  return {
    query: () => queryWithin(request.value),
    show: (query) => {
      request.value = `/?${query}`
      showInControls(query)
    },
  }
}
