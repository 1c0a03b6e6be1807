// Who is measured, and how each is started.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from './processes.ts'

/** What a contender is given to serve. */
export interface Place {
  readonly port: number
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
  readonly missing?: () => string | null
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The gateway as `npm start` runs it, from this or another folder of its sources. */
export function gateway(title: string, root: string, flags: readonly string[] = []): Contender {
  return {
    title,
    commands: ({ port, database }) => {
      const about: About = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
      const start = about.scripts.start.split(' ').slice(1)
      const args = start.map((word) => (word.startsWith('src/') ? join(root, word) : word))
      return [
        {
          file: process.execPath,
          args: [...args, '--port', String(port), '--host', '127.0.0.1', ...flags],
          environment: { DATABASE_URL: `sqlite:${database}`, ADMIN_PORT: '0' },
        },
      ]
    },
  }
}

interface About {
  readonly scripts: { readonly start: string }
}

function peer(title: string, name: string, flags: readonly string[] = []): Contender {
  return {
    title,
    commands: ({ port, database, bodyLength }) => [
      {
        file: process.execPath,
        args: [...flags, here(`contenders/${name}.ts`)],
        environment: {
          PORT: String(port),
          DATABASE: database,
          BODY_LENGTH: String(bodyLength),
          // The gateway runs without it, as npm start does; some of the others are faster with it.
          NODE_ENV: 'production',
        },
      },
    ],
  }
}

const php: Contender = {
  title: 'nginx + PHP-FPM',
  missing: () =>
    phpFpm() !== null && existsSync('/usr/sbin/nginx')
      ? null
      : 'apt-get install nginx php-fpm php-sqlite3 php-xml',
  commands: ({ port, database, folder }) => {
    const asRoot = process.getuid?.() === 0
    const configure = (name: string, user: string): string => {
      const values = { folder, port, database, source: here('contenders/php'), user: asRoot ? user : '' }
      const text = readFileSync(here(`contenders/php/${name}`), 'utf8')
      const path = join(folder, name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        path,
        text.replace(/@(\w+)@/g, (_, key) => String(values[key as keyof typeof values])),
      )
      return path
    }
    const fpm = configure('php-fpm.conf', 'user = root\ngroup = root')
    return [
      { file: phpFpm() ?? '', args: ['--nodaemonize', '--fpm-config', fpm, ...(asRoot ? ['-R'] : [])] },
      {
        file: '/usr/sbin/nginx',
        args: ['-p', folder, '-e', 'stderr', '-c', configure('nginx.conf', 'user root;')],
      },
    ]
  },
}

/** Debian puts the version into the name. */
function phpFpm(): string | null {
  const found = readdirSync('/usr/sbin').filter((name) => /^php-fpm[\d.]*$/.test(name))
  return found.length === 0 ? null : `/usr/sbin/${found.toSorted().at(-1)}`
}

const root = here('..')

export const contenders = {
  gateway: gateway('gateway', root),
  'gateway-2': gateway('gateway, 2 workers', root, ['--workers', '2']),
  /** An earlier commit of the gateway. */
  before: gateway('gateway, earlier', here('.cache/before')),
  'by-hand-obvious': peer('by hand, the obvious way', 'by-hand-obvious'),
  'by-hand-tricks': peer('by hand, every trick', 'by-hand-tricks', ['--max-semi-space-size=8']),
  fastify: peer('Fastify 5', 'fastify'),
  php,
  mercurius: peer('Mercurius 16 + jit', 'mercurius'),
  apollo: peer('Apollo Server 5', 'apollo'),
  yoga: peer('Yoga as it comes', 'yoga'),
  bare: peer('bare node:http', 'bare'),
} as const satisfies Readonly<Record<string, Contender>>

export type ContenderName = keyof typeof contenders
