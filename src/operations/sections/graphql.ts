import { type Count, sumOf } from '../../counts.ts'
import { type Html, html } from '../../pages/html.ts'
import { tableOf } from '../../pages/table.ts'
import { count, counted, shorten } from '../../text.ts'
import type { Looked } from '../looked.ts'

const MAX_SHOWN = 20
/** Characters of a name that a client has chosen. */
const MAX_NAME_LENGTH = 64

/** Which operations clients run, by the names that they have for themselves. */
export function graphql({ counts }: Looked): Html | null {
  const all = counts('lookup_graphql_operations_total')
  if (all.length === 0) return null
  const rows = all.toSorted((a, b) => b.value - a.value)
  const more = rows.slice(MAX_SHOWN)
  const named = (name: string) => (row: Count) => shorten(row.labels[name] ?? '', MAX_NAME_LENGTH)
  return html`<p>Operations since the start. The names are those that clients send, and are not verified. See
<code>docs/metrics.md</code>. <code>lookup census --metrics</code> shows who uses which field.</p>
${tableOf<Count>(
  'GraphQL operations',
  [
    { title: 'client', cell: named('client') },
    { title: 'operation', cell: named('operation') },
    { title: 'times', cell: ({ value }) => count(value), number: true },
  ],
  rows.slice(0, MAX_SHOWN),
)}
${more.length === 0 ? '' : html`<p>${counted(more.length, 'more row')}, ${count(sumOf(more))} times together, on <code>/metrics</code>.</p>`}`
}
