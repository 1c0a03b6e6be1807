// What is asked, by wrk and for the comparison of facts.

/** How it is asked; `postgraphile` is GraphQL of another schema. */
export type Format = 'json' | 'xml' | 'graphql' | 'postgraphile'

export type StoreKind = 'sqlite' | 'postgres'

export interface Workload {
  readonly title: string
  readonly format: Format
  /** Ids per request. */
  readonly ids: number
  /** Nine of ten requests ask for so many users; 0 for uniformly random ids. */
  readonly hot: number
  readonly connections?: number
  /** SQLite where it says nothing else. */
  readonly store?: StoreKind
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
  'json-10': { title: 'Legacy JSON, 10 ids', format: 'json', ids: 10, hot: 0 },
  'json-100': { title: 'Legacy JSON, 100 ids', format: 'json', ids: 100, hot: 0 },
  'xml-1': { title: 'Legacy XML, 1 id', format: 'xml', ids: 1, hot: 0 },
  'xml-100': { title: 'Legacy XML, 100 ids', format: 'xml', ids: 100, hot: 0 },
  'graphql-1': { title: 'GraphQL POST, 1 id', format: 'graphql', ids: 1, hot: 0 },
  'graphql-100': { title: 'GraphQL POST, 100 ids', format: 'graphql', ids: 100, hot: 0 },
  hot: { title: 'Legacy JSON, 1 id, hot set', format: 'json', ids: 1, hot: 1000 },
  'postgres-json-1': {
    title: 'PostgreSQL: legacy JSON, 1 id, 64 connections',
    format: 'json',
    ids: 1,
    hot: 0,
    connections: 64,
    store: 'postgres',
  },
  'postgres-graphql-1': {
    title: 'PostgreSQL: GraphQL POST, 1 id, 64 connections',
    format: 'graphql',
    ids: 1,
    hot: 0,
    connections: 64,
    store: 'postgres',
  },
} as const satisfies Readonly<Record<string, Workload>>

export type WorkloadName = keyof typeof workloads

export const storeOf = (name: WorkloadName): StoreKind => {
  const { store = 'sqlite' }: Workload = workloads[name]
  return store
}
