// The top of a report: a verdict in words, and key figures, which may be the legend of a bar.

import { type Html, html, svgLength } from './html.ts'

/** The pattern of a part of a bar. Patterns differ so that readers need not see colours. */
export type BarPattern = 'same' | 'alike' | 'ignored' | 'other' | 'failed' | 'left'

export interface Figure {
  readonly value: string
  readonly name: string
  readonly detail?: string
  readonly fill?: BarPattern
}

/** A part of a bar, and the figure that explains it. */
export interface BarPart extends Figure {
  readonly fill: BarPattern
  /** From 0 to 1. */
  readonly share: number
}

const signs = { good: 'M4 12.5 9.5 18 20 6', wrong: 'M6 6 18 18M18 6 6 18', open: 'M12 5v9M12 18v1' } as const

/** @param word the verdict in a word or two */
export function verdict(kind: keyof typeof signs, word: string, sentence: Html | string): Html {
  return html`<div class="verdict ${kind}"><svg aria-hidden="true" viewBox="0 0 24 24" width="28" height="28"><path d="${signs[kind]}"/></svg>
<p><strong>${word}.</strong> ${sentence}</p></div>`
}

export function figuresOf(figures: readonly Figure[]): Html {
  return html`<ul class="figures">${figures.map(
    ({ value, name, detail = '', fill }) =>
      html`<li>${fill === undefined ? '' : swatchOf(fill)}<strong>${value}</strong> <span>${name}</span> ${detail === '' ? '' : html`<small>${detail}</small>`}</li>\n`,
  )}</ul>`
}

const swatchOf = (fill: BarPattern) =>
  html`<svg class="swatch" aria-hidden="true" width="16" height="16"><rect class="${fill}" width="16" height="16"/></svg>`

/** Per cent of the width, for a part with a tiny share. */
const MIN_WIDTH = 1

/** One bar of all parts, with their figures below. It defines the patterns, so a page has one bar. */
export function stackedBar(title: string, parts: readonly BarPart[]): Html {
  const shown = parts.filter(({ share }) => share > 0)
  const widths = shown.map(({ share }) => Math.max(MIN_WIDTH, share * 100))
  const sum = widths.reduce((total, width) => total + width, 0)
  let x = 0
  const rects = shown.map(({ fill, name, value }, at) => {
    const width = ((widths[at] ?? 0) / sum) * 100
    x += width
    return html`<rect class="${fill}" x="${svgLength(x - width)}" width="${svgLength(width)}" height="100%"><title>${name}: ${value}</title></rect>`
  })
  const described = parts.map(({ name, value }) => `${name} ${value}`).join(', ')
  return html`<figure class="parts"><figcaption>${title}</figcaption>
<svg role="img" aria-label="${title}: ${described}" width="100%" height="32">${patterns}${rects}</svg>
${figuresOf(parts)}</figure>`
}

const pattern = (fill: BarPattern, lines: string) =>
  html`<pattern id="fill-${fill}" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8"/><path d="${lines}"/></pattern>`
const patterns = html`<defs>${[
  pattern('same', ''),
  pattern('alike', 'M-2 2 2-2M0 8 8 0M6 10 10 6'),
  pattern('ignored', 'M2 2h2M6 6h2'),
  pattern('other', 'M0 0 8 8M0 8 8 0'),
  pattern('failed', 'M2 0v8M6 0v8'),
  pattern('left', 'M0 4h8'),
]}</defs>`
