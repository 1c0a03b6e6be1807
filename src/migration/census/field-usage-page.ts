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
  const asks = clients === 1 ? 'asks' : 'ask'
  return page(
    'Use of GraphQL fields',
    html`${verdict('open', 'In use', `${counted(clients, 'client')} ${asks} for ${counted(fields, 'field')}.`)}
${complete ? '' : notice('The count was interrupted: this is a part of the files.')}
<p class="facts">Counted ${timeOf(made)} in <code>${metrics.join(', ')}</code>.</p>`,
    html`${section(
      'What is asked',
      figuresOf([
        { value: count(operations), name: 'operations' },
        { value: count(fields), name: 'fields' },
        { value: count(clients), name: 'clients', detail: 'as they name themselves' },
      ]),
    )}
${section('What to do next', html`<p>Move the clients of a field before you remove it. A field that is missing here was not asked for since the gateways started.</p>`)}
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
