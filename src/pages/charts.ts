// Small charts for reports: inline SVG that needs no script and no internet. Each says in words what it
// shows, and has its figures in a table below, for those who cannot see it, and for those who want to copy
// them.

import { count } from '../text.ts'
import { type Html, html } from './html.ts'
import { tableOf } from './table.ts'

export interface Point {
  /** What it is about: a day, say. */
  readonly label: string
  readonly value: number
}

export interface Chart {
  readonly title: string
  /** What the labels are: `day`, say. It heads their column. */
  readonly label: string
  /** What is counted: `clients`, say. It heads its column. */
  readonly unit: string
  readonly points: readonly Point[]
  /** Whether the figures stand below it, to be unfolded; a page that refreshes itself would fold them again. */
  readonly withTable?: boolean
}

/** Units of the drawing, which is as wide as the page lets it be. */
const WIDTH = 720
const HEIGHT = 120
/** Bars that can be told apart; of more points, several share one, which is as high as the highest of them. */
const MAX_BARS = 180

/** A bar for each point, in their order. */
export function barChart({ title, label, unit, points, withTable = true }: Chart): Html {
  if (points.length === 0) return html``
  const highest = Math.max(1, ...points.map(({ value }) => value))
  const bars = barsOf(points)
  const step = WIDTH / bars.length
  const first = points[0]?.label ?? ''
  const last = points.at(-1)?.label ?? ''
  const drawn = bars.map((bar, at) => {
    const height = round((bar.value / highest) * HEIGHT)
    return html`<rect x="${round(at * step)}" y="${round(HEIGHT - height)}" width="${round(step * 0.85)}" height="${height}"><title>${bar.label}: ${count(bar.value)} ${unit}</title></rect>`
  })
  const described = `${title}, from ${first} to ${last}: ${summary(points, unit)}`
  return html`<figure class="chart"><figcaption>${title}</figcaption>
<svg role="img" aria-label="${described}" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="100%" height="${HEIGHT}" preserveAspectRatio="none" fill="currentColor"><title>${title}</title><desc>${described}</desc>${drawn}</svg>
<p>${first} to ${last}: ${summary(points, unit)}</p>
${withTable ? figures(label, unit, points) : ''}</figure>
`
}

function figures(label: string, unit: string, points: readonly Point[]): Html {
  return html`<details><summary>Figures</summary>${tableOf(
    [
      { title: label, cell: (point: Point) => point.label },
      { title: unit, cell: ({ value }: Point) => count(value), number: true },
    ],
    points,
  )}</details>`
}

function barsOf(points: readonly Point[]): readonly Point[] {
  const size = Math.ceil(points.length / MAX_BARS)
  if (size === 1) return points
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) =>
    points
      .slice(at * size, (at + 1) * size)
      .reduce((highest, point) => (point.value > highest.value ? point : highest)),
  )
}

function summary(points: readonly Point[], unit: string): string {
  const values = points.map(({ value }) => value)
  return `at first ${count(values[0] ?? 0)}, at last ${count(values.at(-1) ?? 0)}, at most ${count(Math.max(...values))} ${unit}.`
}

const round = (number: number) => Math.round(number * 100) / 100
