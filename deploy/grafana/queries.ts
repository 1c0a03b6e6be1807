// What many panels ask Prometheus, over the gateways that are chosen in the dashboard.

import { isOurFault, legacyFailureCodes } from '../../src/errors.ts'

const chosen = 'job=~"$job", instance=~"$instance"'

export const of = (metric: string, where = '') => `${metric}{${chosen}${where}}`
export const rate = (metric: string, where?: string) => `rate(${of(metric, where)}[$__rate_interval])`
export const sum = (by: string, value: string) => `sum by (${by}) (${value})`
export const quantile = (share: number, metric: string, by = '') =>
  `histogram_quantile(${share}, ${sum(`le${by && `, ${by}`}`, rate(`${metric}_bucket`))})`
export const mean = (metric: string, by: string) =>
  `${sum(by, rate(`${metric}_sum`))} / ${sum(by, rate(`${metric}_count`))}`

export const requests = 'lookup_requests_total'
export const durations = 'lookup_request_duration_seconds'
export const ourFaults = `, outcome=~"${legacyFailureCodes.filter(isOurFault).join('|')}"`
