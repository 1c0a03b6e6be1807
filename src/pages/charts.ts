// Bar charts for reports, as inline SVG without a script. A sentence says what a chart shows, and a table
// below has its figures, to read without seeing the chart, and to copy.

import { count } from '../text.ts'
import { type Html, html, svgLength } from './html.ts'
import { tableOf } from './table.ts'

interface ChartPoint {
  /** For example a day. */
  readonly label: string
  readonly value: number
}

interface Chart {
  readonly title: string
  /** The kind of the labels, such as `day`: the head of their column. */
  readonly label: string
  /** The counted things, such as `clients`: the head of their column. */
  readonly unit: string
  readonly points: readonly ChartPoint[]
  /** Whether the figures are below, folded. A page that refreshes itself would fold them again. */
  readonly withTable?: boolean
}

/** Per cent of the width, for a chart of few points. */
const MAX_BAR_WIDTH = 8

/** A bar for each point, in order. */
export function barChart({ title, label, unit, points, withTable = true }: Chart): Html {
  if (points.length === 0) return html``
  const top = topOf(points)
  const step = 100 / points.length
  const width = Math.min(MAX_BAR_WIDTH, step * 0.8)
  const first = points[0]?.label ?? ''
  const last = points.at(-1)?.label ?? ''
  const drawn = points.map((bar, at) => {
    const height = (bar.value / top) * 100
    return html`<rect x="${svgLength((at + 0.5) * step - width / 2)}" y="${svgLength(100 - height)}" width="${svgLength(width)}" height="${svgLength(height)}"><title>${bar.label}: ${count(bar.value)} ${unit}</title></rect>`
  })
  const described = `${title}, from ${first} to ${last}: ${summary(points, unit)}`
  const lines = [0, 50, 100].map((y) => html`<line x2="100%" y1="${y}%" y2="${y}%"/>`)
  const half = top % 2 === 0 ? count(top / 2) : ''
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<div class="plot"><p class="scale" aria-hidden="true"><span>${count(top)}</span><span>${half}</span><span>0</span></p>
<svg role="img" aria-label="${described}" width="100%" height="128">${lines}${drawn}</svg>
<p class="dates" aria-hidden="true"><span>${first}</span><span>${first === last ? '' : last}</span></p></div>
<p>${first} to ${last}: ${summary(points, unit)}</p>
${withTable ? figures(title, label, unit, points) : ''}</figure>
`
}

function figures(title: string, label: string, unit: string, points: readonly ChartPoint[]): Html {
  return html`<details><summary>Figures: ${title}</summary>${tableOf(
    title,
    [
      { title: label, cell: (point: ChartPoint) => point.label, kind: 'word' },
      { title: unit, cell: ({ value }: ChartPoint) => count(value), number: true },
    ],
    points,
  )}</details>`
}

/** The end of the scale: the lowest round number that is not below the highest bar. */
function topOf(points: readonly ChartPoint[]): number {
  const highest = Math.max(1, highestOf(points))
  const digit = 10 ** Math.floor(Math.log10(highest))
  const factor = [1, 2, 4, 5, 6, 8].find((one) => one * digit >= highest) ?? 10
  return factor * digit
}

function summary(points: readonly ChartPoint[], unit: string): string {
  const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 0]
  return `${count(first)} ${unit} at first, ${count(last)} at last, ${count(highestOf(points))} at most.`
}

const highestOf = (points: readonly ChartPoint[]) =>
  points.reduce((most, { value }) => Math.max(most, value), 0)
