// The use of GraphQL fields as a page of its own.

import { figuresOf, verdict } from '../../pages/figures.ts'
import { html } from '../../pages/html.ts'
import { notice, page, section, timeOf } from '../../pages/page.ts'
import { tableOf } from '../../pages/table.ts'
import { count, counted, percent } from '../../text.ts'
import type { FieldUsage } from './field-usage.ts'

export function fieldUsagePage({ rows, operations, metrics, made, complete }: FieldUsage): string {
  const fields = new Set(rows.map(({ field }) => field)).size
  const clients = new Set(rows.map(({ client }) => client)).size
  const use = clients === 1 ? 'uses' : 'use'
  return page(
    'Use of GraphQL fields',
    html`${verdict('open', 'In use', `${counted(clients, 'client')} ${use} ${counted(fields, 'field')}.`)}
${complete ? '' : notice('Interrupted: only part of the files was counted.')}
<p class="facts">Counted ${timeOf(made)} in <code>${metrics.join(', ')}</code>.</p>`,
    html`${section(
      'Summary',
      figuresOf([
        { value: count(operations), name: 'operations' },
        { value: count(fields), name: 'fields' },
        { value: count(clients), name: 'clients', detail: 'as they name themselves' },
      ]),
    )}
${section('Next steps', html`<p>Before you remove a field, move its clients. A field that is not listed has not been requested since the gateways started.</p>`)}
${section(
  'Fields and clients',
  tableOf(
    'Fields and clients',
    [
      { title: 'field', cell: ({ field }) => field, kind: 'long' },
      { title: 'client', cell: ({ client }) => client, kind: 'long' },
      { title: 'operations', cell: ({ operations }) => count(operations), number: true },
      { title: 'share', cell: ({ share }) => percent(share), number: true },
    ],
    rows,
  ),
)}`,
  )
}
