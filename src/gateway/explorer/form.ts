import type { Examples } from '../../stores/examples.ts'
import type { ShownEvent } from '../pages/explorer.ts'
import { byId, element } from './elements.ts'
import { exampleOf } from './examples.ts'
import { queryWithin, readQuery, writeQuery } from './query.ts'
import { visible } from './token.ts'

export interface RequestForm {
  /** The query string that it holds. */
  readonly query: () => string
  /** Puts a query string in, as far as the controls have room for it. */
  readonly show: (query: string) => void
  /** Picked events begin with these values from now on. */
  readonly offer: (examples: Examples) => void
  /** Holds an example, unless something was typed. */
  readonly begin: () => void
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
  event.append(...optionsFor(events.map(({ name }) => name)))

  let examples: Examples = { users: [], usernames: [], apps: [] }
  /** Whether the form holds its own example: another method shows another one then. */
  let isExample = true

  const chosen = () => events.find(({ name }) => name === event.value)

  const methodChosen = () =>
    [...controls.values()].find((control) => control instanceof HTMLSelectElement)?.value
  const exampleFor = (name: string) => {
    const event = chosen()
    return event === undefined ? '' : exampleOf(event, name, methodChosen(), examples)
  }

  function showExamples(): void {
    for (const [name, control] of controls)
      if (control instanceof HTMLInputElement) control.value = exampleFor(name)
  }

  /** @param given what a request holds; where it is being picked, each parameter begins with its example */
  function makeControls(given: ReadonlyMap<string, string> | null): void {
    controls.clear()
    isExample = given === null
    byId('description', HTMLElement).textContent = chosen()?.description ?? ''
    parameters.replaceChildren()
    for (const { name, description, allowed } of chosen()?.parameters ?? []) {
      const control =
        allowed === undefined
          ? element('input', { autocomplete: 'off', spellcheck: 'false' })
          : element('select', {}, ...optionsFor(allowed))
      if (control instanceof HTMLSelectElement) choose(control, given?.get(name) || (allowed?.[0] ?? ''))
      else control.value = given === null ? exampleFor(name) : (given.get(name) ?? '')
      control.id = `parameter-${name}`
      control.setAttribute('aria-describedby', `about-${name}`)
      controls.set(name, control)
      const label = element('label', { for: control.id }, name)
      const about = element('small', { id: `about-${name}` }, description)
      parameters.append(element('div', {}, label, control, about))
    }
  }

  function writeRequest(): void {
    const picked = chosen()?.parameters.flatMap(({ name, allowed }) => {
      const value = controls.get(name)?.value ?? ''
      // What is the default anyway is left out, as old clients do.
      return value === allowed?.[0] ? [] : [[name, value] as const]
    })
    const asked = [['Event', event.value] as const, ...(picked ?? [])]
    const named = format.value === 'JSON' ? asked : [...asked, ['Format', format.value] as const]
    request.value = `/?${writeQuery(named)}`
  }

  function showInControls(query: string): void {
    const given = readQuery(query)
    choose(event, given.get('Event') ?? '')
    choose(format, given.get('Format') || 'JSON')
    makeControls(given)
  }

  event.addEventListener('change', () => {
    makeControls(null)
    writeRequest()
    changed()
  })
  format.addEventListener('change', () => {
    writeRequest()
    changed()
  })
  parameters.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) isExample = false
    else if (isExample) showExamples()
    writeRequest()
  })
  parameters.addEventListener('change', changed)
  request.addEventListener('input', () => showInControls(queryWithin(request.value)))
  byId('form', HTMLFormElement).addEventListener('submit', (submission) => {
    submission.preventDefault()
    changed()
  })
  makeControls(null)
  writeRequest()

  return {
    query: () => queryWithin(request.value),
    show: (query) => {
      request.value = `/?${query}`
      showInControls(query)
    },
    offer: (found) => {
      examples = found
    },
    begin: () => {
      if (!isExample) return
      showExamples()
      writeRequest()
    },
  }
}

function optionsFor(values: readonly string[]): HTMLOptionElement[] {
  return values.map((value) => element('option', { value }, value))
}

/**
 * Chooses a value, with an option of its own where there is none: what is wrong in a request shows here, too.
 */
function choose(control: HTMLSelectElement, value: string): void {
  control.querySelector('[data-unknown]')?.remove()
  if (!Array.from(control.options).some((option) => option.value === value))
    control.append(element('option', { value, 'data-unknown': '' }, visible(value) || 'none'))
  control.value = value
}
