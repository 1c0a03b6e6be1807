// HTML as templates: whatever is put into them is escaped.

import { visible } from '../text.ts'

/** Text that is HTML already. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Part = Html | string | number | readonly Part[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function printed(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(printed).join('')
  return visible(String(part)).replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
}

/** HTML of a template; what is put into it is escaped, unless it is HTML of a template itself. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, at) => text + printed(parts[at] ?? '')).join(''))
}

/** A text that is HTML already, such as a stylesheet; never one from outside. */
export function markup(text: string): Html {
  return new Html(text)
}

export type { Html }
