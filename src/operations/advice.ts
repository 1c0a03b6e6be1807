// What an operator can do about failures.

/** By the outcome of a request. */
const outcomes: Readonly<Record<string, string>> = {
  Internal: 'A defect. The log has the stack, on lines of the type "unexpected". Report it.',
  Overloaded: 'The gateway is overloaded. Add WORKERS or gateways, or set RATE_LIMIT.',
  Unavailable: 'The database did not respond. See "store-failed" in the log.',
  CallerLeft: 'Clients closed the connection before the response. Compare their timeouts with the latency.',
  TooManyRequests: 'Clients exceed RATE_LIMIT. Raise it if these are legitimate clients.',
  TooManyValues: 'Clients exceed LEGACY_MAX_VALUES. Compare it with the old service.',
  MalformedRequest: 'Requests that are not HTTP: a port scan, TLS on a plain port, or a broken client.',
  MalformedHost: 'Requests without a valid Host header: scans, or a proxy that rewrites it.',
  NotFound: 'Paths that do not exist. If clients use another path of the old service, set LEGACY_PATHS.',
  DocumentNotTrusted: 'A GraphQL document is not in the manifest. Add it to the file of GRAPHQL_DOCUMENTS.',
  PersistedQueryNotFound: 'No action needed: the client sends the query again with its text.',
}
const otherwise =
  'The client made a mistake; the response says which. If the old service accepts it, run "lookup probe".'
export const adviceOn = (outcome: string) => outcomes[outcome] ?? otherwise

/** By the metric of a failure that is no response. */
export const metrics = {
  lookup_workers_lost_total: ['worker lost', 'A worker exited unexpectedly. See "worker-lost" in the log.'],
  lookup_rows_refused_total: ['row refused', 'A value cannot be returned. See "rows-refused" in the log.'],
  lookup_connections_refused_total: ['connection refused', 'Raise MAX_CONNECTIONS, or add gateways.'],
  lookup_slow_clients_cut_total: ['slow client cut', 'Clients read their responses too slowly.'],
  lookup_log_lines_lost_total: ['log line lost', 'Standard error is not read, or its disk is full.'],
} as const
