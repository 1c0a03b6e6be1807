// The admin port: /live, /ready, /metrics, the page for operators and the dial, on a listener of its own.

import type { IncomingMessage } from 'node:http'
import { accepted } from '../accept.ts'
import type { CountsOf } from '../observe/counts.ts'
import { discardBody } from './body.ts'
import type { Exchange } from './exchange.ts'
import { createHostCheck } from './host.ts'
import { isReading } from './routes.ts'

type AdminResponse = readonly [status: number, text: string, headers?: Readonly<Record<string, string>>]

/** What a migration adds to the admin port: a path, and lines of /ready. */
export interface Operations {
  readonly path: string
  readonly answer: (
    request: IncomingMessage,
    counts: () => Promise<CountsOf>,
  ) => AdminResponse | Promise<AdminResponse>
  /** Further lines of /ready. */
  readonly notes: () => readonly string[]
  /** Whether the old service answers lookups while the store is unavailable. */
  readonly isStandIn: () => boolean
}

interface AdminOptions {
  /** Why lookups fail, or `null`. */
  readonly whyNotReady: () => Promise<string | null>
  /** Which tables are empty, as a line; `null` for none. */
  readonly whatIsEmpty: () => Promise<string | null>
  /** In the Prometheus text format. */
  readonly metrics: () => Promise<string>
  /** The counts of a migration, of all processes. */
  readonly migrationCounts: () => Promise<CountsOf>
  /** Host names that are allowed besides IP addresses and `localhost`. */
  readonly hosts: readonly string[]
  /** `null` without a migration, or before a reload starts it. */
  readonly operations: () => Operations | null
  /** The page for browsers. @param isPaused whether the page does not refresh itself */
  readonly page: (host: string, isPaused: boolean) => Promise<AdminResponse>
}

const paths = ['/live', '/ready', '/metrics']

export function createAdmin(options: AdminOptions): (exchange: Exchange) => Promise<void> {
  const { whyNotReady, whatIsEmpty, metrics, migrationCounts, hosts, operations, page } = options
  const refuse = createHostCheck(hosts)

  async function respond(request: IncomingMessage): Promise<AdminResponse> {
    const { url = '' } = request
    const { accept, host = 'localhost' } = request.headers
    const [path = ''] = url.split('?', 1)
    // Whether the process is alive is no secret, and a health check may send any Host.
    if (path === '/live') return [200, 'live\n']
    const refused = refuse(request)
    if (refused !== null) return refused
    const migration = operations()
    if (path === '/ready') return readiness(await whyNotReady(), whatIsEmpty, migration)
    if (path === '/metrics') return [200, await metrics()]
    if (path === migration?.path) return migration.answer(request, migrationCounts)
    if (url === '/' || url === '/?refresh=off') {
      if (!isReading(request)) return [405, 'Look at the page with GET.\n', { Allow: 'GET, HEAD' }]
      // A program that requests `/` gets the list of paths.
      if (accepted(accept).html) return page(host, url !== '/')
    }
    return [404, `try ${[...paths, ...(migration === null ? [] : [migration.path])].join(', ')}\n`]
  }

  return async ({ request, response }) => {
    const [status, text, headers] = await respond(request).catch(() => unavailable)
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    })
    response.end(request.method === 'HEAD' ? undefined : text)
    discardBody(request, response)
  }
}

const unavailable: AdminResponse = [500, 'not available now; see the log\n']

/** @param reason why lookups cannot be answered from the store; `null` if they can */
async function readiness(
  reason: string | null,
  whatIsEmpty: AdminOptions['whatIsEmpty'],
  migration: Operations | null,
): Promise<AdminResponse> {
  const notes = migration?.notes() ?? []
  const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('')
  if (reason === null) {
    const empty = await whatIsEmpty()
    return [200, lines('ready', ...(empty === null ? [] : [empty]), ...notes)]
  }
  return migration?.isStandIn() === true
    ? [200, lines(`ready: ${reason}; the old service answers lookups`, ...notes)]
    : [503, lines(`not ready: ${reason}`, ...notes)]
}
