// Long lists show their beginning. The page holds no more of them than was asked for.

import { element } from './elements.ts'

/** Each press of the button shows so many more. */
const MORE = 1_000

interface Folded<Item> {
  readonly items: readonly Item[]
  /** What the items are called, such as `values`. */
  readonly noun: string
  /** So many are shown at first. */
  readonly first: number
  readonly show: (item: Item) => Node | readonly Node[]
}

/**
 * Fills an element with the first items of a list, and makes the button that shows more.
 * @returns the button, where one is needed
 */
export function fold<Item>(list: HTMLElement, { items, noun, first, show }: Folded<Item>): HTMLElement[] {
  let shown = 0
  const showMore = (most: number) => {
    const next = items.slice(shown, shown + most)
    shown += next.length
    for (const item of next) list.append(...[show(item)].flat())
  }
  showMore(first)
  if (shown === items.length) return []
  const button = element('button', { type: 'button', class: 'quiet more' })
  const label = () => {
    const left = items.length - shown
    const next = Math.min(left, MORE)
    const of = next < left ? ` of ${count(left)}` : ''
    button.textContent = `Show ${count(next)}${of} more ${noun}`
  }
  button.addEventListener('click', () => {
    showMore(MORE)
    if (shown < items.length) return label()
    button.remove()
    // The keyboard goes on from where it was.
    if (!list.hasAttribute('tabindex')) list.tabIndex = -1
    list.focus({ preventScroll: true })
  })
  label()
  return [button]
}

/** A number as people read it. */
export function count(number: number): string {
  return number.toLocaleString('en')
}
