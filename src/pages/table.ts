// Tables of pages and reports.

import { count } from '../text.ts'
import { type Html, type HtmlPart, html } from './html.ts'

export interface TableColumn<Row> {
  readonly title: string
  readonly cell: (row: Row) => HtmlPart
  readonly number?: true
  /**
   * A `word` never breaks, such as a date. A `name` and a `long` text come from outside, and break anywhere.
   * The default breaks between words.
   */
  readonly kind?: 'word' | 'name' | 'long'
}

/** A table that scrolls if it is wider than the page. @param name unique on the page */
export function tableOf<Row>(name: string, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Html {
  const kind = ({ number, kind }: TableColumn<Row>) => (number ? 'number' : (kind ?? ''))
  const head = columns.map((column) => html`<th class="${kind(column)}" scope="col">${column.title}</th>`)
  const body = rows.map(
    (row) =>
      html`<tr>${columns.map((column) => html`<td class="${kind(column)}">${column.cell(row)}</td>`)}</tr>\n`,
  )
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table class="rows"><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

/** Shows the first rows, and the others in pieces that can be opened. @param show makes one piece */
export function inPieces<Row>(
  name: string,
  rows: readonly Row[],
  size: number,
  show: (rows: readonly Row[]) => Html,
): Html {
  const pieces = Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => {
    const some = rows.slice(at * size, (at + 1) * size)
    if (at === 0) return show(some)
    const label = `${name}: ${count(at * size + 1)} to ${count(at * size + some.length)} of ${count(rows.length)}`
    return html`<details><summary>${label}</summary>${show(some)}</details>\n`
  })
  return html`${pieces}`
}
