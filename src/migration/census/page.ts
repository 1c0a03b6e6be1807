import { count, counted, percent } from '../../text.ts'
import { html, page, tableOf } from '../html.ts'
import { type Census, MAX_ADDRESSES } from './census.ts'

/** The census as a page of its own. */
export function censusPage({ rows, requests, lines, logs, made, complete }: Census): string {
  return page(
    'Census of legacy clients',
    html`<p>${counted(requests, 'legacy request')} in ${counted(lines, 'line')} of <code>${logs.join(', ')}</code>, counted ${made}.
${complete ? '' : ' The count was interrupted: this is a part of them.'}</p>
${tableOf(
  [
    { title: 'client', cell: ({ client }) => client || '(no name)' },
    { title: 'event', cell: ({ event }) => event },
    { title: 'method', cell: ({ method }) => method },
    { title: 'format', cell: ({ format }) => format },
    { title: 'requests', cell: ({ requests }) => count(requests), number: true },
    { title: 'share', cell: ({ share }) => percent(share), number: true },
    { title: 'last seen', cell: ({ lastSeen }) => lastSeen ?? '' },
    { title: 'addresses', cell: ({ addresses }) => addressCount(addresses), number: true },
    { title: 'the last one', cell: ({ lastAddress }) => lastAddress },
  ],
  rows,
)}`,
  )
}

export function addressCount(addresses: number): string {
  return addresses === MAX_ADDRESSES ? `${MAX_ADDRESSES} or more` : count(addresses)
}
