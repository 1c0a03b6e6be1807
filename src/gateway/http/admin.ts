// What operators ask, on a listener of its own: it never shares the public port.

import type { IncomingMessage, RequestListener } from 'node:http'
import { createHostCheck } from './admin-host.ts'
import { discardBody } from './body.ts'

interface AdminOptions {
  /** Why a lookup could not be answered now as it should be; `null` where it could. */
  readonly whyNotReady: () => Promise<string | null>
  /** In the Prometheus text format. */
  readonly metrics: () => string | Promise<string>
  /** Host names it answers to, besides IP addresses and `localhost`. */
  readonly hosts: readonly string[]
}

export function createAdmin({ whyNotReady, metrics, hosts }: AdminOptions): RequestListener {
  const pages: Readonly<Record<string, () => Promise<[status: number, text: string]>>> = {
    '/live': async () => [200, 'live\n'],
    '/ready': async () => {
      const reason = await whyNotReady()
      return reason === null ? [200, 'ready\n'] : [503, `not ready: ${reason}\n`]
    },
    '/metrics': async () => [200, await metrics()],
  }
  const refuse = createHostCheck(hosts)

  async function answer(request: IncomingMessage): Promise<readonly [status: number, text: string]> {
    const path = request.url ?? ''
    // Whether the process is alive is no secret, and a health check may send any Host.
    const refused = path === '/live' ? null : refuse(request)
    if (refused !== null) return refused
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (page === undefined) return [404, `try ${Object.keys(pages).join(', ')}\n`]
    return page().catch(() => [500, 'this cannot be told at the moment\n'])
  }

  return async (request, response) => {
    const [status, text] = await answer(request)
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    response.end(request.method === 'HEAD' ? undefined : text)
    discardBody(request, response)
  }
}
