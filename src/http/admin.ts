// What operators ask, on a listener of its own: it never shares the public port.

import type { RequestListener } from 'node:http'

interface AdminOptions {
  /** Throws when a lookup could not be answered now. */
  readonly ready: () => Promise<void>
  /** In the Prometheus text format. */
  readonly metrics: () => string | Promise<string>
}

export function createAdmin({ ready, metrics }: AdminOptions): RequestListener {
  const pages: Readonly<Record<string, () => Promise<[status: number, text: string]>>> = {
    '/live': async () => [200, 'live\n'],
    '/ready': () =>
      ready().then(
        () => [200, 'ready\n'],
        () => [503, 'the data cannot be reached\n'],
      ),
    '/metrics': async () => [200, await metrics()],
  }
  return async (request, response) => {
    const page = Object.hasOwn(pages, request.url ?? '') ? pages[request.url ?? ''] : undefined
    const [status, text] =
      page === undefined
        ? [404, `try ${Object.keys(pages).join(', ')}\n`]
        : await page().catch(() => [500, 'this cannot be told at the moment\n'] as const)
    response.writeHead(status, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    response.end(request.method === 'HEAD' ? undefined : text)
  }
}
