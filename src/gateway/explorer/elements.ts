import { fold } from './fold.ts'

/** The element of the page with this id. @throws Error where the page has none of this kind */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`no ${kind.name} #${id}`)
}

/** Makes an element. What comes from elsewhere only ever becomes text. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/** A line of a table, with a header cell in front. */
export type Row = readonly [head: string, ...cells: (Node | string)[]]

/** Tables show so many lines at first. */
const FIRST_ROWS = 20

/** A table with a header cell in front of each line. @param noun what the lines are called */
export function rows(lines: readonly Row[], noun = 'rows'): HTMLElement {
  const body = element('tbody')
  const more = fold(body, {
    items: lines,
    noun,
    first: FIRST_ROWS,
    show: ([head, ...cells]) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, head),
        ...cells.map((cell) => element('td', {}, cell)),
      ),
  })
  return element('div', { class: 'scroll' }, element('table', {}, body), ...more)
}
