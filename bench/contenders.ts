// The servers that are measured, and the commands that start them.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as php from './contenders/php.ts'
import { root } from './data.ts'
import type { Program } from './processes.ts'
import { postgraphileRequest, type Workload, type WorkloadName, workloads } from './workloads.ts'

/** The address and the data of a contender. */
export interface Place {
  readonly port: number
  /** A URL, as the gateway reads it. */
  readonly database: string
  /** For files of its own. */
  readonly folder: string
}

export interface Contender {
  readonly title: string
  readonly programs: (place: Place) => readonly Program[]
  readonly workloads: readonly string[]
  /** Default: SQLite. */
  readonly isOverPostgres?: boolean
  /** Its own request, if its GraphQL schema is a different one. */
  readonly request?: Workload
  /** Its responses are not those of the gateway. */
  readonly isConstant?: boolean
  /** Seconds until V8 has compiled it, if that takes longer than usual. */
  readonly warmUp?: number
  /** If it cannot run here: the command that installs what is missing. */
  readonly missing?: () => string | null
}

const all = Object.keys(workloads)
const overPostgres = { isOverPostgres: true }
const legacy = ['json-1', 'json-10', 'json-100'] as const satisfies readonly WorkloadName[]
const xml = ['xml-1', 'xml-100'] as const satisfies readonly WorkloadName[]
const graphql = [
  ...(['graphql-1', 'graphql-get-1', 'graphql-100', 'graphql-text-1', 'graphql-text-100'] as const),
] satisfies readonly WorkloadName[]

const node = (args: readonly string[], environment: Readonly<Record<string, string>>): readonly Program[] => [
  { argv: [process.execPath, ...args], environment },
]

/** The gateway as `npm start` runs it, from this folder or that of another commit. */
export function gateway(title: string, folder: string, names: readonly string[] = all): Contender {
  const start = startOf(folder).map((word) => (word.startsWith('src/') ? join(folder, word) : word))
  return {
    title,
    workloads: names,
    programs: ({ port, database }) =>
      node(start, { PORT: `${port}`, HOST: '127.0.0.1', DATABASE_URL: database, ADMIN_PORT: '0' }),
  }
}

/** The arguments that `npm start` passes to Node. */
function startOf(folder: string): readonly string[] {
  const about: { scripts: { start: string } } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return about.scripts.start.split(' ').slice(1)
}

/** @param packages those that it imports */
function peer(title: string, name: string, names: readonly WorkloadName[], packages: readonly string[] = []) {
  const isInstalled = (name: string) =>
    ['bench/node_modules', 'node_modules'].some((folder) => existsSync(join(root, folder, name)))
  const flags = name === 'tricks' ? startOf(root).filter((word) => word.startsWith('--')) : []
  return {
    title,
    workloads: names,
    missing: () => (packages.every(isInstalled) ? null : 'npm install --prefix bench'),
    programs: ({ port, database }: Place) => {
      const environment = { PORT: `${port}`, DATABASE_URL: database, NODE_ENV: 'production' }
      return node([...flags, join(root, `bench/contenders/${name}.ts`)], environment)
    },
  }
}

export const contenders: Readonly<Record<string, Contender>> = {
  gateway: gateway('gateway', root),
  obvious: peer('by hand, the obvious way', 'obvious', [...legacy, ...xml, 'username-1']),
  tricks: peer('by hand, every trick', 'tricks', legacy),
  fastify: peer('Fastify', 'fastify', [...legacy, 'username-1'], ['fastify']),
  php: { title: 'nginx + PHP-FPM', workloads: [...legacy, ...xml], ...php },
  mercurius: peer('Mercurius + jit', 'mercurius', graphql, ['fastify', 'mercurius']),
  apollo: peer('Apollo Server', 'apollo', graphql, ['@apollo/server']),
  yoga: peer('Yoga as it comes', 'yoga', graphql),
  'gateway-postgres': { ...gateway('gateway, PostgreSQL', root, [...legacy, ...graphql]), ...overPostgres },
  postgraphile: {
    ...peer('PostGraphile, PostgreSQL', 'postgraphile', ['graphql-1'], ['postgraphile']),
    ...{ ...overPostgres, request: postgraphileRequest, warmUp: 6 },
  },
  bare: { ...peer('bare node:http', 'bare', ['json-1', 'graphql-1']), isConstant: true },
}
