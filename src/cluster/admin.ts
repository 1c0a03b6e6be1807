// The admin port: /live, /ready, /metrics, the page for operators and the dial of a cutover, about all
// processes. Health checks and scrapes of operators depend on the paths and the statuses.

import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { accepted } from '../accept.ts'
import { type AdminResponse, type Operations, shadowSection } from '../app.ts'
import type { Config } from '../config/config.ts'
import { discardBody } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { createHostCheck } from '../http/host.ts'
import { isReading } from '../http/routes.ts'
import { type Listener, listen } from '../http/server.ts'
import { lazily } from '../lazily.ts'
import { countsOf } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import { addUp, printMetrics } from '../observe/metrics.ts'
import {
  type Readiness,
  SAMPLE_INTERVAL_MS,
  type ServerTimes,
  watchReadiness,
} from '../operations/history.ts'
import type { GatewayService } from './serve.ts'
import { type Database, listenOrExplain } from './startup.ts'

interface AdminSources {
  readonly service: GatewayService
  readonly database: Database
  readonly serverTimes: ServerTimes
  /** The settings of the processes that respond to requests. */
  readonly settings: () => Config
}

const paths = ['/live', '/ready', '/metrics']
const unavailable: AdminResponse = [500, 'not available now; see the log\n']

/** @returns `null` if ADMIN_PORT is off, or if its default port is in use: that must not prevent a start */
export async function listenAdmin(sources: AdminSources, observe: Observe): Promise<Listener | null> {
  const { service, database } = sources
  const { adminPort, adminPortChosen, adminHost, adminHosts, timeouts } = sources.settings()
  if (adminPort === 'off') return null
  const readiness = watchReadiness(async () => service.whyNotServing() ?? (await database.whyUnavailable()))
  const page = lazily(() => openPage(sources, readiness))
  const refuse = createHostCheck([hostname(), adminHost, ...adminHosts])
  const cutoverCounts = async () =>
    countsOf(await addUp((await service.count('page')).counted, /^lookup_cutover_/))

  async function respond(request: IncomingMessage): Promise<AdminResponse> {
    const { url = '' } = request
    const { accept, host = 'localhost' } = request.headers
    const [path = ''] = url.split('?', 1)
    // Whether the process is alive is no secret, and a health check may send any Host.
    if (path === '/live') return [200, 'live\n']
    const refused = refuse(request)
    if (refused !== null) return refused
    const operations = service.operations()
    if (path === '/ready') return readyResponse((await readiness()).reason, database, operations)
    if (path === '/metrics') return [200, await printMetrics((await service.count('scrape')).counted)]
    if (path === operations?.path) return operations.respond(request, cutoverCounts)
    if (url === '/' || url === '/?refresh=off') {
      if (!isReading(request)) return [405, 'Look at the page with GET.\n', { Allow: 'GET, HEAD' }]
      // A program that requests `/` gets the list of paths.
      if (accepted(accept).html) return (await page()).show(host, url !== '/')
    }
    return [404, `try ${[...paths, ...(operations === null ? [] : [operations.path])].join(', ')}\n`]
  }

  async function handle({ request, response }: Exchange): Promise<void> {
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

  const options = { port: adminPort, host: adminHost, timeouts }
  const skip = ({ message: reason }: Error) => {
    observe({ type: 'admin-skipped', reason })
    return null
  }
  const listener = adminPortChosen
    ? await listenOrExplain('ADMIN_', { handle }, options)
    : await listen({ handle }, options).catch(skip)
  if (listener === null) return null
  const sample = async () => (await page()).sample()
  const sampling = setInterval(() => void sample().catch(() => {}), SAMPLE_INTERVAL_MS).unref()
  const close = (linger?: number) => {
    clearInterval(sampling)
    return listener.close(linger)
  }
  return { ...listener, close }
}

/** @param reason why lookups fail; `null` if they succeed */
async function readyResponse(
  reason: string | null,
  { whatIsEmpty }: Database,
  operations: Operations | null,
): Promise<AdminResponse> {
  const isStandIn = operations?.isStandIn() === true
  const empty = reason === null ? await whatIsEmpty() : null
  const lines = [
    reason === null
      ? 'ready'
      : isStandIn
        ? `ready: ${reason}; the old service answers lookups`
        : `not ready: ${reason}`,
    ...(empty === null ? [] : [`database: ${empty}`]),
    ...(operations?.notes() ?? []),
  ]
  return [reason === null || isStandIn ? 200 : 503, lines.map((line) => `${line}\n`).join('')]
}

/** The page for operators, loaded with the first sample or view. */
async function openPage(
  { service, database, serverTimes, settings }: AdminSources,
  readiness: () => Promise<Readiness>,
) {
  const { operations } = service
  const { openOperatorPage } = await import('../operations/page.ts')
  return openOperatorPage({
    readiness,
    whatIsEmpty: database.whatIsEmpty,
    serverTimes,
    database: database.name,
    count: () => service.count('page'),
    notes: () => operations()?.notes() ?? [],
    isStandIn: () => operations()?.isStandIn() ?? false,
    migration: async (counts, host) => {
      const sections = [await operations()?.section(counts, host), await shadowSection(settings(), counts)]
      return sections.filter((section) => section != null)
    },
  })
}
