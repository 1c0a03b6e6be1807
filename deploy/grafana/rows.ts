// What the dashboard shows, and what to do when it looks bad. docs/metrics.md has the metrics.

import type { Panel } from './panel.ts'
import { durations, mean, of, quantile, rate, requests, sum } from './queries.ts'

/** Rows by their titles, each of one line of panels or more. */
export const rows: Readonly<Record<string, readonly (readonly Panel[])[]>> = {
  Traffic: [
    [
      {
        title: 'Requests, by event and outcome',
        description:
          'Requests by outcome. "none": requests that were refused before their event was known. "page": requests of browsers.',
        unit: 'reqps',
        queries: { '{{event}} {{outcome}}': sum('event, outcome', rate(requests)) },
      },
      {
        title: 'Failures, by code',
        description:
          'As a share of all requests. Overloaded: add gateways. Unavailable: no database server can be read. Internal: see "unexpected" in the log. The others are mistakes of clients; the responses say which.',
        unit: 'percentunit',
        queries: {
          '{{outcome}}': `${sum('outcome', rate(requests, ', outcome!="ok"'))} / on () group_left () sum(${rate(requests)})`,
        },
      },
    ],
    [
      ...([0.5, 0.95, 0.99] as const).map(
        (share): Panel => ({
          title: `${share * 100} % are answered within`,
          description:
            'From the headers of a request to the end of its response, by event. All are slow: Node is busy (Overload), or the store is slow (Store). One is slow: its queries are.',
          unit: 's',
          queries: { '{{event}}': quantile(share, durations, 'event') },
        }),
      ),
    ],
  ],
  GraphQL: [
    [
      {
        title: 'GraphQL operations, by client',
        description:
          'Clients name themselves in a header. unnamed: have them send apollographql-client-name. other: names with other characters, or more than a hundred clients.',
        unit: 'ops',
        queries: { '{{client}}': sum('client', rate('lookup_graphql_operations_total')) },
      },
      {
        title: 'GraphQL fields',
        description:
          'Operations that select each field. None for months: the field can be deprecated and removed. Until then "lookup census --metrics" shows who uses it.',
        unit: 'ops',
        queries: { '{{field}}': sum('field', rate('lookup_graphql_fields_total')) },
      },
    ],
  ],
  Cutover: [
    [
      {
        title: 'Legacy requests, by side and answer',
        description:
          'The side that a client belongs to, then the side that answered. "new old" and "old new" are fallbacks: the first side could not answer. "none": neither could.',
        unit: 'reqps',
        queries: {
          '{{side}} {{answered_by}}': sum('side, answered_by', rate('lookup_cutover_requests_total')),
        },
      },
      {
        title: 'Failures, by side',
        description: 'Requests that a side could not answer. See "cutover-failed" in the log for the reason.',
        unit: 'ops',
        queries: { '{{side}}': sum('side', rate('lookup_cutover_failures_total')) },
      },
    ],
    [
      {
        title: 'The old service answers 99 % within',
        description: 'Response time of the old service for requests passed to it.',
        unit: 's',
        queries: { '99 %': quantile(0.99, 'lookup_cutover_old_duration_seconds') },
      },
      {
        title: 'Dial',
        description:
          'Share of the clients that the gateway answers itself. "turned back": 1 if the guard has set it to 0; see "shadow-differs" in the log. Set it again on the admin port, or with CUTOVER_SHARE and SIGHUP.',
        unit: 'percentunit',
        queries: {
          '{{instance}}': `max by (instance) (${of('lookup_cutover_share')})`,
          '{{instance}} turned back': `max by (instance) (${of('lookup_cutover_turned_back')})`,
        },
      },
    ],
  ],
  Overload: [
    [
      {
        title: 'In flight',
        description:
          'Requests in flight. Growing while traffic does not: the store is slow. At MAX_IN_FLIGHT for each process, further requests are refused.',
        unit: 'short',
        queries: { '{{instance}}': sum('instance', of('lookup_requests_in_flight')) },
      },
      {
        title: 'Refused',
        description:
          'Overloaded (503): load shedding; add workers or gateways. TooManyRequests (429): clients exceed RATE_LIMIT. connections: more than MAX_CONNECTIONS, or than three quarters of the open-file limit. slow clients: disconnected because they did not read their responses.',
        unit: 'reqps',
        queries: {
          '{{outcome}}': sum('outcome', rate(requests, ', outcome=~"Overloaded|TooManyRequests"')),
          connections: `sum(${rate('lookup_connections_refused_total')})`,
          'slow clients': `sum(${rate('lookup_slow_clients_cut_total')})`,
        },
      },
      {
        title: 'Event loop utilization',
        description:
          'Of the busiest process of a gateway. Above 0.7, requests wait for each other: add workers while there are cores, then gateways. At 0.95 the gateway begins to refuse requests.',
        unit: 'percentunit',
        max: 1,
        queries: { '{{instance}}': `max by (instance) (${of('lookup_event_loop_utilization')})` },
      },
      {
        title: 'Event loop lag',
        description:
          'Delay of the event loop, 99th percentile; its resolution is 10 ms. Higher: something holds up the process, such as large requests or a lack of processor time.',
        unit: 's',
        queries: { '{{instance}}': `max by (instance) (${of('nodejs_eventloop_lag_p99_seconds')})` },
      },
    ],
  ],
  Batching: [
    [
      {
        title: 'Queries per second',
        description:
          'Queries to the store. Fewer than requests, because lookups share queries and responses are cached.',
        unit: 'ops',
        queries: { '{{lookup}}': sum('lookup', rate('lookup_batch_lookups_count')) },
      },
      {
        title: 'Lookups per query',
        description:
          'Average. 1 when requests are rarely concurrent; more when the database is busy. Tens: the database servers are the bottleneck; add replicas, or raise DATABASE_CONNECTIONS.',
        unit: 'short',
        queries: { '{{lookup}}': mean('lookup_batch_lookups', 'lookup') },
      },
      {
        title: 'Values per query',
        description: 'Average: values of a lookup, times the lookups that share a query.',
        unit: 'short',
        queries: { '{{lookup}}': mean('lookup_batch_values', 'lookup') },
      },
    ],
  ],
  Store: [
    [
      {
        title: 'Queries: 99 % answered within',
        description:
          'Up to DATABASE_TIMEOUT. All lookups are slow: the servers are busy or far away. One is slow: check that its index exists (schema/).',
        unit: 's',
        queries: { '{{lookup}}': quantile(0.99, 'lookup_store_query_duration_seconds', 'lookup') },
      },
      {
        title: 'Failures and retries',
        description:
          'failed: queries that failed on every server; clients got 503. failed first: queries that were retried on another server, unnoticed by clients. taken out: servers that were taken out, perhaps too briefly for the panel "Database servers". The log has the reasons.',
        unit: 'ops',
        queries: {
          failed: `sum(${rate('lookup_store_failures_total')})`,
          'failed first on {{server}}': sum('server', rate('lookup_store_retries_total')),
          '{{server}} taken out': sum('server', rate('lookup_server_outs_total')),
        },
      },
      {
        title: 'Database servers',
        description:
          '1: lookups go to the server. 0: at least one gateway has taken it out, because it is down, silent, further behind than DATABASE_MAX_LAG, promoted, or a Galera node that is not synced. See "server-out" in the log.',
        unit: 'short',
        max: 1,
        queries: { '{{server}}': `min by (server) (${of('lookup_server_up')})` },
      },
      {
        title: 'Ready',
        description: '1: the gateway can answer lookups, as /ready says. 0: outage.',
        unit: 'short',
        max: 1,
        queries: { '{{instance}}': `min by (instance) (${of('lookup_store_ready')})` },
      },
    ],
  ],
  Process: [
    [
      {
        title: 'Memory',
        description:
          'Resident memory of all processes of a gateway. It settles after a while under load. If it grows for hours, report a leak.',
        unit: 'bytes',
        queries: { '{{instance}}': sum('instance', of('process_resident_memory_bytes')) },
      },
      {
        title: 'Processor',
        description: 'Cores used by all processes of a gateway. One process uses little more than one.',
        unit: 'short',
        queries: { '{{instance}}': sum('instance', rate('process_cpu_seconds_total')) },
      },
      {
        title: 'File descriptors',
        description:
          'Share of the open-file limit (ulimit -n) that is in use; nearly all are connections. Connections take at most 0.75 of it.',
        unit: 'percentunit',
        max: 1,
        queries: {
          '{{instance}}': `${sum('instance', of('process_open_fds'))} / ${sum('instance', of('process_max_fds'))}`,
        },
      },
    ],
    [
      {
        title: 'Garbage collection',
        description:
          'Share of time, of all processes of a gateway together. Above 0.1: the heap is too small for the load (--max-old-space-size).',
        unit: 'percentunit',
        queries: { '{{instance}}': sum('instance', rate('nodejs_gc_duration_seconds_sum')) },
      },
      {
        title: 'Workers lost, unexpected errors, rows refused, log lines lost',
        description:
          'Workers that exited unexpectedly (they are replaced within seconds), unexpected errors, rows with a value that cannot be returned, and log lines that nothing read. All should be 0. See "worker-lost", "unexpected", "rows-refused" and "log-lines-lost" in the log.',
        unit: 'short',
        queries: {
          'workers lost': `sum(increase(${of('lookup_workers_lost_total')}[$__rate_interval]))`,
          'unexpected errors': `sum(increase(${of('lookup_unexpected_errors_total')}[$__rate_interval]))`,
          'rows refused': `sum(increase(${of('lookup_rows_refused_total')}[$__rate_interval]))`,
          'log lines lost': `sum(increase(${of('lookup_log_lines_lost_total')}[$__rate_interval]))`,
        },
      },
      {
        title: 'Compared with the old service',
        description:
          'Responses compared with those of SHADOW_URL, by result. different: see "shadow-differs" in the log, and "lookup replay" for details. ignored: they differ only in what SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN exclude. dropped: too many to compare; lower SHADOW_SAMPLE.',
        unit: 'ops',
        queries: {
          '{{result}}': sum('result', rate('lookup_shadow_comparisons_total')),
        },
      },
      {
        title: 'What differs from the old service',
        description:
          'Differences in meaning from the responses of the old service, by field and kind. "lookup probe" and "lookup replay" name the setting that makes the gateway answer alike, if there is one.',
        unit: 'ops',
        queries: {
          '{{event}} {{format}} {{field}} {{kind}}': sum(
            'event, format, field, kind',
            rate('lookup_shadow_differences_total'),
          ),
        },
      },
      {
        title: 'Gateways, by version',
        description: 'Number of gateways by version. Two versions for long: a rollout is stuck.',
        unit: 'short',
        queries: { '{{version}}': `count by (version) (${of('lookup_info')})` },
      },
    ],
  ],
}
