// What the ring around the control that has the focus covers.

/** Runs in the page: texts and controls that the ring of what has the focus lies over, or where it is cut. */
export function coveredByRing(): string[] {
  const focused = document.activeElement
  if (focused === null) return ['nothing has the focus']
  const name = focused.outerHTML.slice(0, 80)
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(focused)
  const [width, offset] = [outlineWidth, outlineOffset].map(Number.parseFloat)
  if (outlineStyle !== 'solid' || width === undefined || offset === undefined || width < 2)
    return [`${name}: no ring`]
  const box = focused.getBoundingClientRect()
  const outer = {
    left: box.left - offset - width,
    right: box.right + offset + width,
    top: box.top - offset - width,
    bottom: box.bottom + offset + width,
  }
  const inner = {
    left: outer.left + width,
    right: outer.right - width,
    top: outer.top + width,
    bottom: outer.bottom - width,
  }
  const found = outer.left < 0 || outer.right > innerWidth ? [`${name}: cut by the window`] : []
  const meets = (area: DOMRect) => {
    const touches =
      area.left < outer.right && area.right > outer.left && area.top < outer.bottom && area.bottom > outer.top
    const within =
      area.left >= inner.left &&
      area.right <= inner.right &&
      area.top >= inner.top &&
      area.bottom <= inner.bottom
    return touches && !within && area.width > 0
  }
  for (const control of document.querySelectorAll('a, button, input, select, summary, pre')) {
    if (control === focused || control.contains(focused) || focused.contains(control)) continue
    // What is hidden within a folded part has no place.
    if (control.checkVisibility() && meets(control.getBoundingClientRect()))
      found.push(`${name}: over ${control.outerHTML.slice(0, 80)}`)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const parent = text.parentElement
    if (parent === null || !parent.checkVisibility() || !text.textContent?.trim()) continue
    // A list that scrolls shows what it shows.
    if (parent.closest('pre') !== null || parent.closest('select') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(text)
    for (const area of range.getClientRects())
      if (meets(area)) found.push(`${name}: over "${text.textContent.slice(0, 40)}"`)
  }
  return found
}
