// Who is measured, and how each is started.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { php } from './php.ts'
import type { Command } from './processes.ts'
import type { Format, StoreKind } from './workloads.ts'

/** What a contender is given to serve. */
export interface Place {
  readonly port: number
  /** A URL, as the gateway reads it. */
  readonly database: string
  /** For files of its own. */
  readonly folder: string
  /** How long the answer of the bare server is. */
  readonly bodyLength: number
}

export interface Contender {
  readonly title: string
  readonly commands: (place: Place) => readonly Command[]
  /** Why it cannot run here. */
  readonly missing?: (store: StoreKind) => string | null
  /** How it is asked, where its GraphQL schema is another one. */
  readonly format?: Format
  /** Seconds that it needs to be compiled by V8, where that is more than others need. */
  readonly warmUp?: number
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

interface Differences {
  readonly flags?: readonly string[]
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** The gateway as `npm start` runs it, from this or another folder of its sources. */
export function gateway(
  title: string,
  root: string,
  { flags = [], nodeFlags = [], environment = {} }: Differences = {},
): Contender {
  return {
    title,
    commands: ({ port, database }) => {
      const start = startOf(root)
      const args = start.map((word) => (word.startsWith('src/') ? join(root, word) : word))
      return [
        {
          file: process.execPath,
          args: [...nodeFlags, ...args, '--port', String(port), '--host', '127.0.0.1', ...flags],
          environment: { DATABASE_URL: database, ADMIN_PORT: '0', ...environment },
        },
      ]
    },
  }
}

interface About {
  readonly scripts: { readonly start: string }
}

/** What `npm start` passes to Node, in words. */
function startOf(folder: string): readonly string[] {
  const about: About = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return about.scripts.start.split(' ').slice(1)
}

/** Those for Node itself. */
export const startFlags = (): readonly string[] => startOf(root).filter((word) => word.startsWith('--'))

function peer(title: string, name: string, flags: readonly string[] = []): Contender {
  return {
    title,
    commands: ({ port, database, bodyLength }) => [
      {
        file: process.execPath,
        args: [...flags, here(`contenders/${name}.ts`)],
        environment: {
          PORT: String(port),
          DATABASE_URL: database,
          BODY_LENGTH: String(bodyLength),
          // The gateway runs without it, as npm start does; some of the others are faster with it.
          NODE_ENV: 'production',
        },
      },
    ],
  }
}

const root = here('..')

export const contenders = {
  gateway: gateway('gateway', root),
  'gateway-mmap': gateway('gateway, read in place', root, { environment: { DATABASE_MMAP: '2147418112' } }),
  'gateway-2': gateway('gateway, 2 workers', root, { flags: ['--workers', '2'] }),
  /** Its own sources, but for the merging; with as many connections as a pool usually has. */
  'one-query': {
    ...gateway('one query per request', root, {
      nodeFlags: ['--import', here('contenders/one-query/hook.ts')],
      environment: { DATABASE_CONNECTIONS: '10' },
    }),
    warmUp: 4,
  },
  /** An earlier commit of the gateway. */
  before: gateway('gateway, earlier', here('.cache/before')),
  'by-hand-mysql2': peer('by hand with mysql2', 'by-hand-mysql2'),
  'by-hand-obvious': peer('by hand, the obvious way', 'by-hand-obvious'),
  /** With the gateway's options of Node. */
  'by-hand-tricks': peer('by hand, every trick', 'by-hand-tricks', startFlags()),
  fastify: peer('Fastify 5', 'fastify'),
  php,
  mercurius: peer('Mercurius 16 + jit', 'mercurius'),
  apollo: peer('Apollo Server 5', 'apollo'),
  yoga: peer('Yoga as it comes', 'yoga'),
  postgraphile: { ...peer('PostGraphile 5', 'postgraphile'), format: 'postgraphile', warmUp: 6 },
  bare: peer('bare node:http', 'bare'),
} as const satisfies Readonly<Record<string, Contender>>

export type ContenderName = keyof typeof contenders
