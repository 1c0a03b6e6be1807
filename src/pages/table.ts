import { type Html, html, type Part } from './html.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Part
  readonly number?: true
}

/** It scrolls within the page where it is wider: words are not broken. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const kind = ({ number }: Column<Row>) => (number ? 'number' : '')
  return html`<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${columns.map((column) => html`<th class="${kind(column)}" scope="col">${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => html`<td class="${kind(column)}">${column.cell(row)}</td>`)}</tr>\n`)}</tbody></table></div>`
}
