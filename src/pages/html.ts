// HTML as templates. Every text in a template is escaped.

import { escapeHtml } from '../html-text.ts'
import { visible } from '../text.ts'

/** Text that is HTML already. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlPart = Html | string | number | readonly HtmlPart[]

function printed(part: HtmlPart): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(printed).join('')
  return escapeHtml(visible(String(part)))
}

/** HTML of a template. Its parts are escaped, except the HTML of another template. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(texts.map((text, at) => text + printed(parts[at] ?? '')).join(''))
}

/** Marks a text as HTML, such as a stylesheet. Never call it with a text from outside. */
export function markup(text: string): Html {
  return new Html(text)
}

/** A length or position in an SVG. A percentage lets a chart have any width, and texts of normal size. */
export function svgLength(percent: number): string {
  return `${Math.round(percent * 1000) / 1000}%`
}

export type { Html }
