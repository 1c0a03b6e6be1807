import type { WrittenSetting } from '../../config-dialect.ts'
import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { shorten } from '../../text.ts'

/** Characters of a value: a text of an error may be long. */
const MAX_VALUE_LENGTH = 200

/** The settings that make the gateway answer as one old service did, where they differ from their defaults. */
export function dialect(changed: readonly WrittenSetting[]): Html {
  const what = html`<p>Settings that make the gateway answer as the old service did. <code>lookup probe</code> finds
them. <code>/explain</code> shows what each does to a response. See <code>docs/probe.md</code>.</p>`
  if (changed.length === 0) return html`${what}<p>All settings have their defaults.</p>`
  return html`${what}
${tableOf<WrittenSetting>(
  'Dialect in force',
  [
    { title: 'setting', cell: ({ setting }) => html`<code class="line">${setting}</code>` },
    {
      title: 'value',
      cell: ({ value }) => html`<p class="value"><code>${shorten(value, MAX_VALUE_LENGTH)}</code></p>`,
    },
    { title: 'meaning', cell: ({ purpose }) => html`<p class="sentence">${purpose}</p>` },
  ],
  changed,
)}`
}
