// A collector of traces: takes OTLP as JSON, and keeps the spans.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Span {
  /** The package that made it, without the part that all have in common: `http`, `pg`, `graphql`. */
  readonly by: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'other'
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Receiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  readonly spans: Span[]
  /** All that came, as it came. */
  readonly text: () => string
}

/** What is read of OTLP. */
interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string }
      readonly spans: readonly (Pick<Span, 'name' | 'traceId' | 'spanId' | 'parentSpanId'> & {
        readonly kind: number
        readonly attributes: readonly {
          readonly key: string
          readonly value: Readonly<Record<string, unknown>>
        }[]
      })[]
    }[]
  }[]
}

const kinds: Readonly<Record<number, Span['kind']>> = { 1: 'internal', 2: 'server', 3: 'client' }

/** Starts one on a free port; the end of the test ends it. */
export async function startReceiver(): Promise<Receiver> {
  const received: Export[] = []
  const server = createServer(async (request, response) => {
    const body = await json(request)
    // OpenTelemetry wrote it.
    if (request.url === '/v1/traces') received.push(body as Export)
    response.setHeader('Content-Type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    get spans() {
      return received.flatMap(spansOf)
    },
    text: () => JSON.stringify(received),
  }
}

function spansOf({ resourceSpans }: Export): Span[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ scope, spans }) =>
      spans.map(({ attributes, kind, parentSpanId, ...span }) => ({
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId,
        by: scope.name.replace('@opentelemetry/instrumentation-', ''),
        kind: kinds[kind] ?? 'other',
        attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      })),
    )
}
