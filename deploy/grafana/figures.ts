import type { Figure } from './panel.ts'
import { durations, of, ourFaults, quantile, rate, requests } from './queries.ts'

/** The first line: is anything wrong at all? */
export const figures: readonly Figure[] = [
  {
    title: 'Requests per second',
    description:
      'All requests. Far less than usual: check the proxies and the network in front of the gateways.',
    unit: 'reqps',
    queries: { '': `sum(${rate(requests)})` },
    red: null,
  },
  {
    title: 'Failed on our side',
    description:
      'Share of requests that were answered 5xx. See "Failures, by code": Overloaded is about load, Unavailable about the database, Internal about a defect or a row that cannot be returned, which the log names.',
    unit: 'percentunit',
    queries: { '': `(sum(${rate(requests, ourFaults)}) or vector(0)) / sum(${rate(requests)})` },
    red: 0.01,
  },
  {
    title: '99 % answered within',
    description:
      'Requests of all kinds. When it is long, check whether the store is slow (Store) or Node is busy (Overload).',
    unit: 's',
    queries: { '': quantile(0.99, durations) },
    red: 0.1,
  },
  {
    title: 'Gateways not ready',
    description:
      'Gateways whose database is unavailable, and which answer 503. See their logs and the panel "Database servers".',
    unit: 'short',
    queries: { '': `count(${of('lookup_store_ready')} == 0) or vector(0)` },
    red: 1,
  },
  {
    title: 'Database servers out',
    description:
      'Database servers that at least one gateway has taken out, because they are down, silent, too far behind, or promoted. Lookups go to the other servers meanwhile. It is not urgent as long as others are up.',
    unit: 'short',
    queries: { '': `count(min by (server) (${of('lookup_server_up')}) == 0) or vector(0)` },
    red: 1,
  },
  {
    title: 'Unexpected errors',
    description:
      'In the time shown. Each is logged with its stack, in a line of the type "unexpected". Report them.',
    unit: 'short',
    queries: { '': `sum(increase(${of('lookup_unexpected_errors_total')}[$__range]))` },
    red: 1,
  },
]
