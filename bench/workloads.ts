// What is asked, by wrk and for the comparison of facts.

import { type ClientName, clients } from './clients.ts'
import { type LegacyClientName, legacyClients } from './legacy-clients.ts'

/** How it is asked; `mix` is JSON and XML, `postgraphile` is GraphQL of another schema. */
export type Format = 'json' | 'xml' | 'mix' | 'graphql' | 'postgraphile'

/** The database servers that are measured, and what people call them. */
export const serverTitles = { postgres: 'PostgreSQL', mariadb: 'MariaDB', mysql: 'MySQL' } as const
export type ServerKind = keyof typeof serverTitles
export const serverKinds = ['postgres', 'mariadb', 'mysql'] as const satisfies readonly ServerKind[]

export type StoreKind = 'sqlite' | ServerKind

export interface Workload {
  readonly title: string
  readonly format: Format
  /** Ids per request; 0 for lists of 1 to 40. */
  readonly ids: number
  /** Nine of ten requests ask for so many users; 0 for uniformly random ids. */
  readonly hot: number
  readonly connections?: number
  /** Whose request it is, where it is one of GraphQL; without it, a short one of our own. */
  readonly client?: ClientName
  /** Whose headers a legacy request has; without it, none but Host. */
  readonly legacyClient?: LegacyClientName
  /** Accept-Encoding; without it, answers come as they are. */
  readonly acceptEncoding?: string
  /** SQLite where it says nothing else. */
  readonly store?: StoreKind
}

/** What the clients of GraphQL that are used most send as they are set up by default. */
export const benchedClients = ['apollo', 'urql', 'graphql-request'] as const satisfies readonly ClientName[]
export type BenchedClient = (typeof benchedClients)[number]

function asClient(client: BenchedClient, ids: number): Workload {
  const title = `GraphQL, ${ids === 1 ? '1 id' : `${ids} ids`}, ${clients[client].version}`
  return { title, format: 'graphql', ids, hot: 0, client }
}

/** Old clients that keep their connections. PHP's is a case of its own: half of it is the connection. */
export const keepingLegacyClients: readonly LegacyClientName[] = ['curl', 'dotnet', 'browser']

function asLegacyClient(name: LegacyClientName): Workload {
  const title = `Legacy JSON, 1 id, ${legacyClients[name].version}`
  return { title, format: 'json', ids: 1, hot: 0, legacyClient: name }
}

function persisted(ids: number): Workload {
  const title = `GraphQL, ${ids === 1 ? '1 id' : `${ids} ids`}, ${clients['apollo-persisted'].version}`
  return { title, format: 'graphql', ids, hot: 0, client: 'apollo-persisted' }
}

const requests = { json: 'legacy JSON', graphql: 'GraphQL POST' } as const

/** Over a database server: the more ask at once, the more there is to merge. */
function over(store: ServerKind, format: keyof typeof requests): Workload {
  const title = `${serverTitles[store]}: ${requests[format]}, 1 id, 64 connections`
  return { title, format, ids: 1, hot: 0, connections: 64, store }
}

export const workloads = {
  'json-1': { title: 'Legacy JSON, 1 id', format: 'json', ids: 1, hot: 0 },
  'json-1-wide': {
    title: 'Legacy JSON, 1 id, 64 connections',
    format: 'json',
    ids: 1,
    hot: 0,
    // Sixteen do not keep two workers busy.
    connections: 64,
  },
  'curl-1': asLegacyClient('curl'),
  'php-1': asLegacyClient('php'),
  'dotnet-1': asLegacyClient('dotnet'),
  'browser-1': asLegacyClient('browser'),
  mix: { title: 'Legacy, a mix as it is found in logs', format: 'mix', ids: 0, hot: 0, legacyClient: 'curl' },
  'json-10': { title: 'Legacy JSON, 10 ids', format: 'json', ids: 10, hot: 0 },
  'json-100': { title: 'Legacy JSON, 100 ids', format: 'json', ids: 100, hot: 0 },
  'xml-1': { title: 'Legacy XML, 1 id', format: 'xml', ids: 1, hot: 0 },
  'xml-100': { title: 'Legacy XML, 100 ids', format: 'xml', ids: 100, hot: 0 },
  'graphql-1': { title: 'GraphQL POST, 1 id', format: 'graphql', ids: 1, hot: 0 },
  'graphql-100': { title: 'GraphQL POST, 100 ids', format: 'graphql', ids: 100, hot: 0 },
  'apollo-1': asClient('apollo', 1),
  'urql-1': asClient('urql', 1),
  'graphql-request-1': asClient('graphql-request', 1),
  'apollo-100': asClient('apollo', 100),
  'urql-100': asClient('urql', 100),
  'graphql-request-100': asClient('graphql-request', 100),
  'apollo-persisted-1': persisted(1),
  'apollo-persisted-100': persisted(100),
  'graphql-100-gzip': {
    title: 'GraphQL POST, 100 ids, gzip',
    format: 'graphql',
    ids: 100,
    hot: 0,
    acceptEncoding: 'gzip',
  },
  'graphql-1000': { title: 'GraphQL POST, 1,000 ids', format: 'graphql', ids: 1000, hot: 0 },
  'graphql-1000-gzip': {
    title: 'GraphQL POST, 1,000 ids, gzip',
    format: 'graphql',
    ids: 1000,
    hot: 0,
    acceptEncoding: 'gzip',
  },
  hot: { title: 'Legacy JSON, 1 id, hot set', format: 'json', ids: 1, hot: 1000 },
  'postgres-json-1': over('postgres', 'json'),
  'postgres-graphql-1': over('postgres', 'graphql'),
  'mariadb-json-1': over('mariadb', 'json'),
  'mysql-json-1': over('mysql', 'json'),
} as const satisfies Readonly<Record<string, Workload>>

export type WorkloadName = keyof typeof workloads

export const storeOf = (name: WorkloadName): StoreKind => {
  const { store = 'sqlite' }: Workload = workloads[name]
  return store
}
