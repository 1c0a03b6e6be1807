import type { Figure } from './panel.ts'
import { durations, of, ourFaults, quantile, rate, requests } from './queries.ts'

/** The first line: is anything wrong at all? */
export const figures: readonly Figure[] = [
  {
    title: 'Requests per second',
    description: 'All that is asked. Far less than usual: look at what is before the gateways.',
    unit: 'reqps',
    queries: { '': `sum(${rate(requests)})` },
    red: null,
  },
  {
    title: 'Failed on our side',
    description:
      'The share of requests that were answered 5xx. "Failures, by code" says which: Overloaded is about load, Unavailable about the database, Internal about a fault or a broken row that the log names.',
    unit: 'percentunit',
    queries: { '': `(sum(${rate(requests, ourFaults)}) or vector(0)) / sum(${rate(requests)})` },
    red: 0.01,
  },
  {
    title: '99 % answered within',
    description:
      'Requests of all kinds. Where it is long, look whether the store is slow (Store) or Node is busy (Overload).',
    unit: 's',
    queries: { '': quantile(0.99, durations) },
    red: 0.1,
  },
  {
    title: 'Gateways not ready',
    description:
      'Gateways that cannot reach their data now, and answer 503. Their log says why; so does the panel of database servers.',
    unit: 'short',
    queries: { '': `count(${of('lookup_store_ready')} == 0) or vector(0)` },
    red: 1,
  },
  {
    title: 'Database servers out',
    description:
      'PostgreSQL servers that some gateway does not read from, because they are down, silent, too far behind, or promoted. Requests go to the others meanwhile: no hurry as long as there are some.',
    unit: 'short',
    queries: { '': `count(min by (server) (${of('lookup_server_up')}) == 0) or vector(0)` },
    red: 1,
  },
  {
    title: 'Unexpected errors',
    description:
      'In the time shown. Each is logged with its stack, in a line of the type "unexpected". A row that cannot be read is one, a fault of the gateway another.',
    unit: 'short',
    queries: { '': `sum(increase(${of('lookup_unexpected_errors_total')}[$__range]))` },
    red: 1,
  },
]
