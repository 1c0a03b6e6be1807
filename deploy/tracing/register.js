// OpenTelemetry's standard instrumentation of Node, set for this service; `--import` loads it first
// (docs/tracing.md).

import { registerHooks } from 'node:module'
import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import { api, NodeSDK } from '@opentelemetry/sdk-node'

// The package has graphql as one file of its own, in which there is nothing to instrument: graphql's package,
// which is installed beside it, takes its place.
const program = new URL('../../dist/', import.meta.url).href
registerHooks({
  resolve: (name, context, next) =>
    next(name === './graphql.js' && context.parentURL?.startsWith(program) ? 'graphql' : name, context),
})

const { env } = process
env.OTEL_SERVICE_NAME ??= 'lookup-service'
env.OTEL_NODE_ENABLED_INSTRUMENTATIONS ??= 'http,pg,mysql2,graphql,pino'
// Without `process`: its arguments may hold the password of a database.
env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,os,serviceinstance'
// These have ways of their own.
env.OTEL_METRICS_EXPORTER ??= 'none'
env.OTEL_LOGS_EXPORTER ??= 'none'

const instrumentations = getNodeAutoInstrumentations({
  // A query string names users.
  '@opentelemetry/instrumentation-http': {
    startIncomingSpanHook: () => ({ 'url.query': undefined }),
    // Of a call to an old service; server.address and server.port say which.
    startOutgoingSpanHook: () => ({ 'url.full': undefined }),
  },
  // So does the text of a lookup over MySQL.
  '@opentelemetry/instrumentation-mysql2': {
    maskStatement: true,
    maskStatementHook: (text) => text.replace(/ IN \(.*/s, ' IN (…)'),
  },
  // The gateway probes its servers every second, which belongs to no request.
  '@opentelemetry/instrumentation-pg': { requireParentSpan: true },
  // Otherwise there is a span for each field of each user.
  '@opentelemetry/instrumentation-graphql': { ignoreResolveSpans: true },
})
requireParentSpan(instrumentations.find(({ instrumentationName }) => instrumentationName.endsWith('mysql2')))
const sdk = new NodeSDK({ instrumentations })
sdk.start()
// Not at SIGTERM: requests in flight are still answered then.
process.once('beforeExit', () => sdk.shutdown())

/** The same for mysql2's, which has no such setting. @param instrumentation `undefined` where it is off */
function requireParentSpan(instrumentation) {
  if (instrumentation === undefined) return
  const setProvider = instrumentation.setTracerProvider.bind(instrumentation)
  instrumentation.setTracerProvider = (provider) =>
    setProvider({ getTracer: (...names) => withinRequests(provider.getTracer(...names)) })
}

function withinRequests(tracer) {
  return {
    startSpan: (...about) =>
      api.trace.getActiveSpan() === undefined
        ? api.trace.wrapSpanContext(api.INVALID_SPAN_CONTEXT)
        : tracer.startSpan(...about),
  }
}
