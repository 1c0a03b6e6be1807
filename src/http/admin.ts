// What operators ask, on a listener of its own: it never shares the public port.

import type { IncomingMessage } from 'node:http'
import { accepted } from '../gateway/accept.ts'
import { createHostCheck } from './admin-host.ts'
import { discardBody } from './body.ts'
import type { Exchange } from './connection.ts'

/** A status, a text, and headers of its own. */
export type Page = readonly [status: number, text: string, headers?: Readonly<Record<string, string>>]

/** What operators may ask and set there beside the usual. */
export interface Operations {
  readonly path: string
  readonly answer: (request: IncomingMessage) => Page
  /** Lines for an operator who asks whether the gateway is ready. */
  readonly notes: () => readonly string[]
  /** Whether lookups are answered though the store is unavailable. */
  readonly isStandIn: () => boolean
}

interface AdminOptions {
  /** Why a lookup could not be answered now as it should be; `null` where it could. */
  readonly whyNotReady: () => Promise<string | null>
  /** What an operator should know of the data, as a line; `null` for nothing. */
  readonly aboutData: () => Promise<string | null>
  /** In the Prometheus text format. */
  readonly metrics: () => string | Promise<string>
  /** Host names it answers to, besides IP addresses and `localhost`. */
  readonly hosts: readonly string[]
  /** `null` while there is nothing more. */
  readonly operations: () => Operations | null
  /** The page for browsers. @param isPaused whether it stays as it is */
  readonly page: (host: string, isPaused: boolean) => Promise<Page>
}

/** Where the page is, and whether it is paused there. */
const pages: ReadonlyMap<string, boolean> = new Map([
  ['/', false],
  ['/?refresh=off', true],
])

export function createAdmin(options: AdminOptions): (exchange: Exchange) => Promise<void> {
  const { whyNotReady, aboutData, metrics, hosts, operations } = options
  const usual: Readonly<Record<string, () => Promise<Page>>> = {
    '/live': async () => [200, 'live\n'],
    '/ready': async () => readiness(await whyNotReady(), aboutData, operations()),
    '/metrics': async () => [200, await metrics()],
  }
  const refuse = createHostCheck(hosts)

  async function answer(request: IncomingMessage): Promise<Page> {
    const { url = '' } = request
    const [path = ''] = url.split('?', 1)
    // Whether the process is alive is no secret, and a health check may send any Host.
    const refused = path === '/live' ? null : refuse(request)
    if (refused !== null) return refused
    const more = operations()
    const isMore = more !== null && path === more.path
    const isPaused = pages.get(url)
    const looked = isPaused === undefined ? undefined : ownPage(request, isPaused)
    const own = isMore ? async () => more.answer(request) : looked
    const page = own ?? (Object.hasOwn(usual, path) ? usual[path] : undefined)
    if (page === undefined) {
      const paths = [...Object.keys(usual), ...(more === null ? [] : [more.path])]
      return [404, `try ${paths.join(', ')}\n`]
    }
    return page().catch(() => [500, 'not available now; see the log\n'])
  }

  /** Programs that ask for `/` are told which paths there are, as at any other path. */
  function ownPage(
    { method, headers: { accept, host = 'localhost' } }: IncomingMessage,
    isPaused: boolean,
  ): (() => Promise<Page>) | undefined {
    if (method !== 'GET' && method !== 'HEAD')
      return async () => [405, 'Look at the page with GET.\n', { Allow: 'GET, HEAD' }]
    return accepted(accept).html ? () => options.page(host, isPaused) : undefined
  }

  return async ({ request, response }) => {
    const [status, text, headers] = await answer(request)
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

/** @param reason why lookups cannot be answered from the store; `null` where they can */
async function readiness(
  reason: string | null,
  aboutData: AdminOptions['aboutData'],
  operations: Operations | null,
): Promise<Page> {
  const notes = (operations?.notes() ?? []).map((note) => `${note}\n`).join('')
  if (reason === null) {
    const note = await aboutData()
    return [200, `ready\n${note === null ? '' : `${note}\n`}${notes}`]
  }
  return operations?.isStandIn() === true
    ? [200, `ready: ${reason}; the old service answers lookups\n${notes}`]
    : [503, `not ready: ${reason}\n${notes}`]
}
