// What an operator can do about each kind of failure.

import { isOurFault } from '../errors.ts'

const advice: Readonly<Record<string, string>> = {
  Internal: 'A defect. The log has the stack, on lines of the type "unexpected". Report it.',
  Overloaded: 'The gateway is overloaded. Add WORKERS or gateways, or set RATE_LIMIT.',
  Unavailable: 'The database did not answer. See the section Database, and "store-failed" in the log.',
  CallerLeft:
    'Clients closed the connection before the response was ready. Compare their timeouts with the latency.',
  TooManyRequests: 'Clients exceed RATE_LIMIT. Raise it if these are legitimate clients.',
  TooManyValues:
    'Clients ask for more values than LEGACY_MAX_VALUES allows. Compare it with the old service.',
  MalformedRequest: 'Requests that are not HTTP: a port scan, TLS on a plain port, or a broken client.',
  MalformedHost: 'Requests without a valid Host header: scans, or a proxy that rewrites it.',
  NotFound: 'Paths that do not exist. If clients use another path of the old service, set LEGACY_PATHS.',
  MethodNotAllowed: 'Requests with another method, such as POST. Use GET for the legacy interface.',
  UnknownFormat: 'Clients ask for another format. If the old service answers it, set LEGACY_OTHER_FORMAT.',
  UnknownEvent: 'Clients ask for another event. If the old service answers it, set LEGACY_OTHER_EVENT.',
  UnknownMethod: 'Clients use another method value. If the old service answers it, set LEGACY_OTHER_METHOD.',
  MalformedIdentifier:
    'Clients send ids that are not numbers. If the old service answers them, set LEGACY_MALFORMED.',
  RepeatedParameter: 'Clients repeat a parameter. If the old service answers that, set LEGACY_REPEATED.',
  DocumentNotTrusted: 'A GraphQL document is not in the manifest. Add it to the file of GRAPHQL_DOCUMENTS.',
  PersistedQueryNotFound: 'No action needed: the client sends the query again with its text.',
  InvalidGraphQL: 'A GraphQL query is invalid, or exceeds a limit. The response names the mistake.',
}

const otherwise = 'The client made a mistake. The response says which.'

export const adviceOn = (outcome: string) => advice[outcome] ?? otherwise
export const isFailure = (outcome: string) => outcome !== 'ok' && outcome !== 'passed'
/** Whether the client could not have avoided it. */
export const isOurs = (outcome: string) => isOurFault(outcome)
