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

/** A table with a header cell in front of each row. */
export function rows(lines: readonly (readonly [head: string, ...cells: (Node | string)[]])[]): HTMLElement {
  const made = lines.map(([head, ...cells]) =>
    element('tr', {}, element('th', { scope: 'row' }, head), ...cells.map((cell) => element('td', {}, cell))),
  )
  return element('div', { class: 'scroll' }, element('table', {}, element('tbody', {}, ...made)))
}
