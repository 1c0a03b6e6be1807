import { hideSecrets } from '../../config-texts.ts'
import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { rowsOf } from '../../setting-table.ts'
import { type Dialect, type SettingName, table } from '../../settings.ts'
import { shorten } from '../../text.ts'

/** Characters of a value: a text of an error may be long. */
const MAX_VALUE_LENGTH = 200

interface Row {
  readonly name: SettingName
  readonly value: string
  readonly purpose: string
}

/** The settings that make the gateway answer as one old service did, where they differ from their defaults. */
export function dialect(inForce: Dialect): Html {
  const rows = changedOf(inForce)
  const what = html`<p>Settings that make the gateway answer as the old service did. <code>lookup probe</code> finds
them out, <code>/explain</code> shows what each did to an answer, and <code>docs/probe.md</code> has more.</p>`
  if (rows.length === 0) return html`${what}<p>All have their defaults.</p>`
  return html`${what}
${tableOf<Row>(
  'Dialect in force',
  [
    { title: 'setting', cell: ({ name }) => html`<code class="line">${name}</code>` },
    { title: 'value', cell: ({ value }) => html`<p class="value"><code>${value}</code></p>` },
    { title: 'what it says', cell: ({ purpose }) => html`<p class="sentence">${purpose}</p>` },
  ],
  rows,
)}`
}

function changedOf(inForce: Dialect): readonly Row[] {
  return Object.entries(table.dialect).flatMap(([key, row]) => {
    const value: unknown = Object.entries(inForce).find(([name]) => name === key)?.[1]
    const [{ name, fallback, purpose } = row] = rowsOf({ row })
    const text = textOf(value)
    return text === textOf(fallback)
      ? []
      : [{ name, value: shorten(hideSecrets(name, text), MAX_VALUE_LENGTH), purpose }]
  })
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : value === null ? '' : String(value)
}
