// What the dashboard shows, and what to do when it looks bad. docs/observing.md has the metrics.

import type { Panel } from './panel.ts'
import { durations, mean, of, quantile, rate, requests, sum } from './queries.ts'

/** Rows by their titles, each of one line of panels or more. */
export const rows: Readonly<Record<string, readonly (readonly Panel[])[]>> = {
  Traffic: [
    [
      {
        title: 'Requests, by event and outcome',
        description:
          'What is asked, and what it came to. "none" are requests that were refused before their event was known, "page" those of browsers.',
        unit: 'reqps',
        queries: { '{{event}} {{outcome}}': sum('event, outcome', rate(requests)) },
      },
      {
        title: 'Failures, by code',
        description:
          'As a share of all requests. Overloaded: more is asked than can be answered; add gateways. Unavailable: no database server can be read. Internal: look for "unexpected" in the log. The others are mistakes of clients, which their answers explain to them.',
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
            'From the headers of a request to its answer, by event. All of them slow: Node is busy (Overload), or the store is slow (Store). Only one: its queries are.',
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
          'Clients name themselves in a header. Unnamed: have them send apollographql-client-name. Other: names of odd characters, or more than a hundred clients.',
        unit: 'ops',
        queries: { '{{client}}': sum('client', rate('lookup_graphql_operations_total')) },
      },
      {
        title: 'GraphQL fields',
        description:
          'Operations that ask for each field. None for months: the field can be deprecated and removed. Until then "lookup census --metrics" says who asks.',
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
          'The side that a client belongs to, and what answered it. "new old" and "old new" are fallbacks: the first side could not answer. "none": neither could.',
        unit: 'reqps',
        queries: {
          '{{side}} {{answered_by}}': sum('side, answered_by', rate('lookup_cutover_requests_total')),
        },
      },
      {
        title: 'Failures, by side',
        description:
          'Times that a side was asked and could not answer. The log says why, on lines of the type "cutover-failed".',
        unit: 'ops',
        queries: { '{{side}}': sum('side', rate('lookup_cutover_failures_total')) },
      },
    ],
    [
      {
        title: 'The old service answers 99 % within',
        description: 'Requests that are passed to the old service, until it has answered.',
        unit: 's',
        queries: { '99 %': quantile(0.99, 'lookup_cutover_old_duration_seconds') },
      },
      {
        title: 'Dial',
        description:
          'The share of the clients that the gateway answers itself. Turned back, by gateway: 1 where the guard has set it to 0; the log says what differed. Set it anew on the admin port, or by CUTOVER_SHARE and SIGHUP.',
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
          'Requests that are being answered at the moment. Growing while traffic does not: the store is slow. At MAX_IN_FLIGHT for each process, more are refused.',
        unit: 'short',
        queries: { '{{instance}}': sum('instance', of('lookup_requests_in_flight')) },
      },
      {
        title: 'Refused',
        description:
          'Overloaded (503): the gateways protect those whom they do answer; add workers or gateways. TooManyRequests (429): clients that are beyond RATE_LIMIT. Connections: more than MAX_CONNECTIONS at a time. Slow clients: disconnected, since they did not read their responses.',
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
          'The share of its time that the busiest process of a gateway works. From 0.7 on answers wait for each other: add workers while there are cores, then gateways. At 0.95 the gateway begins to refuse.',
        unit: 'percentunit',
        max: 1,
        queries: { '{{instance}}': `max by (instance) (${of('lookup_event_loop_utilization')})` },
      },
      {
        title: 'Event loop lag',
        description:
          'How late Node gets to what is due, 99th percentile; 10 ms is its own resolution. Higher: something holds the process up, as large requests or a lack of processor time would.',
        unit: 's',
        queries: { '{{instance}}': `max by (instance) (${of('nodejs_eventloop_lag_p99_seconds')})` },
      },
    ],
  ],
  Batching: [
    [
      {
        title: 'Queries per second',
        description: 'To the store. Fewer than requests, since look-ups share them and answers are kept.',
        unit: 'ops',
        queries: { '{{lookup}}': sum('lookup', rate('lookup_batch_lookups_count')) },
      },
      {
        title: 'Look-ups per query',
        description:
          'On average. 1 where little is asked at the same time; the busier PostgreSQL is, the more. Tens of them: its servers are the bottleneck; add replicas, or raise DATABASE_CONNECTIONS.',
        unit: 'short',
        queries: { '{{lookup}}': mean('lookup_batch_lookups', 'lookup') },
      },
      {
        title: 'Values per query',
        description: 'On average: what clients ask for at a time, times the look-ups that share a query.',
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
          'Up to DATABASE_TIMEOUT. Slow for all look-ups: the servers are busy, or the way to them is long. Slow for one: is its index there (schema/)?',
        unit: 's',
        queries: { '{{lookup}}': quantile(0.99, 'lookup_store_query_duration_seconds', 'lookup') },
      },
      {
        title: 'Failures and second attempts',
        description:
          'Queries that no server could answer, which their clients were told; and queries that failed on one server and went to another, of which clients notice nothing; and servers that were left out, which may be shorter than the panel of database servers can show. The log has the reasons.',
        unit: 'ops',
        queries: {
          failed: `sum(${rate('lookup_store_failures_total')})`,
          'failed first on {{server}}': sum('server', rate('lookup_store_retries_total')),
          '{{server}} left out': sum('server', rate('lookup_server_outs_total')),
        },
      },
      {
        title: 'Database servers',
        description:
          '1 while a server is read from, 0 while some gateway leaves it out: it is down, silent, further behind than DATABASE_MAX_LAG, a replica no longer (promoted, say), or a node of Galera that is not synced. The log says which, on a line of the type "server-out".',
        unit: 'short',
        max: 1,
        queries: { '{{server}}': `min by (server) (${of('lookup_server_up')})` },
      },
      {
        title: 'Ready',
        description: 'Whether a gateway could answer a look-up now, as /ready says; 0 is an outage.',
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
          'Resident, of all processes of a gateway. It settles after a while under load; what grows for hours is a leak, worth a report.',
        unit: 'bytes',
        queries: { '{{instance}}': sum('instance', of('process_resident_memory_bytes')) },
      },
      {
        title: 'Processor',
        description: 'Cores in use, by all processes of a gateway. One process uses little more than one.',
        unit: 'short',
        queries: { '{{instance}}': sum('instance', rate('process_cpu_seconds_total')) },
      },
      {
        title: 'File descriptors',
        description:
          'The share of those that the system allows (ulimit -n) which is open; nearly all are connections. At 1 no more clients get in.',
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
          'The share of time it takes, of all processes of a gateway together. Above 0.1: the heap is small for the load (--max-old-space-size).',
        unit: 'percentunit',
        queries: { '{{instance}}': sum('instance', rate('nodejs_gc_duration_seconds_sum')) },
      },
      {
        title: 'Workers lost, unexpected errors, rows refused, log lines lost',
        description:
          'Workers that exited unexpectedly, which are replaced within seconds, unexpected errors, rows with a number that cannot be answered, and log lines that nothing read. All should be none: the log says more ("worker-lost", "unexpected", "rows-refused", "log-lines-lost").',
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
          'Answers, by what comparing them with those of SHADOW_URL came to. Different: the log says in what, on lines of the type "shadow-differs", and "lookup replay" in full. Ignored: only in what SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN leave out. Dropped: more than it is asked for; lower SHADOW_SAMPLE.',
        unit: 'ops',
        queries: {
          '{{result}}': sum('result', rate('lookup_shadow_comparisons_total')),
        },
      },
      {
        title: 'What differs from the old service',
        description:
          'Fields, and kinds of difference, of answers that mean something else than those of the old service. "lookup probe" and "lookup replay" name the setting that would make the gateway answer alike, where there is one.',
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
        description: 'How many run which version. Two versions for long: a roll-out is stuck.',
        unit: 'short',
        queries: { '{{version}}': `count by (version) (${of('lookup_info')})` },
      },
    ],
  ],
}
