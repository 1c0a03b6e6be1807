import { element } from './elements.ts'

export interface Tab {
  readonly name: string
  readonly panel: HTMLElement
}

/**
 * Shows one of several panels, as the ARIA practices have tabs: arrow keys, Home and End move between them.
 * @param id begins the ids of all that is made
 * @param chosen is told which one is shown, at once and whenever that changes
 */
export function showTabs(
  place: HTMLElement,
  id: string,
  tabs: readonly Tab[],
  first: string,
  chosen: (name: string) => void,
): void {
  const label = place.getAttribute('data-label') ?? ''
  const buttons = tabs.map(({ name }, at) =>
    element(
      'button',
      { type: 'button', role: 'tab', id: `${id}-tab-${at}`, 'aria-controls': `${id}-panel-${at}` },
      name,
    ),
  )
  tabs.forEach(({ panel }, at) => {
    panel.id = `${id}-panel-${at}`
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', `${id}-tab-${at}`)
  })

  function choose(chosenAt: number, focus: boolean): void {
    buttons.forEach((button, at) => {
      button.setAttribute('aria-selected', String(at === chosenAt))
      button.tabIndex = at === chosenAt ? 0 : -1
      const panel = tabs[at]?.panel
      if (panel !== undefined) panel.hidden = at !== chosenAt
    })
    if (focus) buttons[chosenAt]?.focus()
    chosen(tabs[chosenAt]?.name ?? '')
  }

  const list = element('div', { role: 'tablist', 'aria-label': label }, ...buttons)
  buttons.forEach((button, at) => {
    button.addEventListener('click', () => choose(at, false))
  })
  list.addEventListener('keydown', (event) => {
    const at = buttons.findIndex(({ id }) => id === document.activeElement?.id)
    const last = buttons.length - 1
    const next = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }
    const to = Object.entries(next).find(([key]) => key === event.key)?.[1]
    if (at === -1 || to === undefined) return
    event.preventDefault()
    choose(to, true)
  })
  place.replaceChildren(list, ...tabs.map(({ panel }) => panel))
  choose(
    Math.max(
      0,
      tabs.findIndex(({ name }) => name === first),
    ),
    false,
  )
}
