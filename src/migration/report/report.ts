// The report of a command, which a terminal and a page show alike; the JSON of the command has its data.

import type { BarPart, Figure } from '../../pages/figures.ts'

export interface Report {
  readonly title: string
  /** `word` is for a page; the sentence is the last line in a terminal. */
  readonly verdict: {
    readonly kind: 'good' | 'wrong' | 'open'
    readonly word: string
    readonly sentence: string
  }
  /** The subject of the report, and its time. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  /** Sentences that a reader must know before the figures. */
  readonly notices: readonly string[]
  /** Key figures, or parts of a whole: a page draws parts as a bar. */
  readonly summary:
    | { readonly figures: readonly Figure[] }
    | { readonly title: string; readonly parts: readonly BarPart[] }
  /** Sentences that explain the figures. */
  readonly notes?: readonly string[]
  readonly chart?: ReportChart
  readonly examples?: { readonly title: string; readonly all: readonly ReportExample[] }
  /** Tables without rows are left out. */
  readonly tables: readonly ReportTable[]
  readonly text?: { readonly title: string; readonly text: string; readonly isPageOnly: boolean }
  readonly nextSteps: readonly ReportStep[]
}

export interface ReportTable {
  readonly title: string
  readonly columns: readonly ReportColumn[]
  /** One cell for each column. */
  readonly rows: readonly (readonly string[])[]
  /** Cells are sentences: a terminal prints each row in full. */
  readonly isProse?: true
  readonly isPageOnly?: true
}

/** Two responses that differ. */
export interface ReportExample {
  readonly title: string
  /** How frequent the difference is. */
  readonly share: string
  readonly query: string
  readonly old: string
  readonly new: string
  readonly hints: readonly string[]
}

/** Counts over time, by day and by week: a renderer shows weeks if there are too many days. */
export interface ReportChart {
  readonly title: string
  /** A page has a chart for each unit; in a terminal, the first one has bars. */
  readonly units: readonly string[]
  readonly days: readonly ChartPeriod[]
  readonly weeks: readonly ChartPeriod[]
}

interface ChartPeriod {
  /** The first day of the period. */
  readonly from: string
  /** A count for each unit. */
  readonly counts: readonly number[]
}

export interface ReportStep {
  readonly text: string
  readonly command?: string
}

/** `2026-11-22 09:15 UTC` */
export const minuteOf = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`

export interface ReportColumn {
  readonly title: string
  /**
   * `time` is ISO 8601. The other kinds say how a browser lays out the cells: see `pages/table.ts`.
   */
  readonly kind: 'text' | 'number' | 'time' | 'word' | 'name' | 'long'
  readonly isPageOnly?: true
}

const columnOf =
  (kind: ReportColumn['kind']) =>
  (title: string): ReportColumn => ({ title, kind })
/** Columns by their titles. */
export const text = columnOf('text')
export const number = columnOf('number')
export const time = columnOf('time')
export const word = columnOf('word')
export const name = columnOf('name')
export const long = columnOf('long')
export const onPage = (column: ReportColumn): ReportColumn => ({ ...column, isPageOnly: true })
