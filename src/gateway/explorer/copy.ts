import { element } from './elements.ts'

/** A button that copies a text. Where the browser allows no copying, it selects the text instead. */
export function copyButton(what: string, text: string, shown: HTMLElement): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'quiet' }, `Copy ${what}`)
  const say = (words: string) => {
    button.textContent = words
    setTimeout(() => {
      button.textContent = `Copy ${what}`
    }, 2000)
  }
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      say('Copied')
    } catch {
      // Browsers have no clipboard for pages that come over plain HTTP from elsewhere.
      getSelection()?.selectAllChildren(shown)
      say('Selected: copy it with the keyboard')
    }
  })
  return button
}
