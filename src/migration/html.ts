// Pages of one file that open anywhere, without internet and without scripts. Whatever is put into them is
// escaped.

import { visible } from '../text.ts'

/** Text that is HTML already. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | readonly Part[]

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

export type { Html }

const style = `
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8886; overflow-wrap: anywhere }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
.verdict { padding: .6rem 1rem; border-left: .4rem solid #b42318 } .verdict.good { border-color: #18794e }
.scroll { overflow-x: auto }
figure { margin: 1.5rem 0 } figcaption { font-weight: 600 }
.line { white-space: nowrap }`

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Part
  readonly number?: true
}

export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const kind = ({ number }: Column<Row>) => (number ? 'number' : '')
  return html`<div class="scroll"><table><thead><tr>${columns.map((column) => html`<th class="${kind(column)}" scope="col">${column.title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => html`<td class="${kind(column)}">${column.cell(row)}</td>`)}</tr>\n`)}</tbody></table></div>`
}

export function page(title: string, body: Html): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${new Html(style)}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`.text
}
