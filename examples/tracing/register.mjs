// Traces for OpenTelemetry, without personal data: a query string names users. docs/operate.md shows how to
// load this file.

import { registerHooks } from 'node:module'
import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import { NodeSDK } from '@opentelemetry/sdk-node'

process.env.OTEL_SERVICE_NAME ??= 'lookup-service'
process.env.OTEL_NODE_ENABLED_INSTRUMENTATIONS ??= 'http,pg,mysql2,graphql'
// Not "process": its arguments may hold the password of a database.
process.env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,os'
process.env.OTEL_METRICS_EXPORTER ??= 'none'
process.env.OTEL_LOGS_EXPORTER ??= 'none'
// The bundle has its own graphql, which cannot be instrumented. Load the package instead.
registerHooks({
  resolve: (name, context, next) =>
    next(name === './graphql.js' && context.parentURL?.includes('/dist/') ? 'graphql' : name, context),
})
const sdk = new NodeSDK({
  instrumentations: getNodeAutoInstrumentations({
    '@opentelemetry/instrumentation-http': {
      startIncomingSpanHook: () => ({ 'url.query': undefined }),
      startOutgoingSpanHook: () => ({ 'url.full': undefined }),
    },
    // Statements to MySQL contain the values.
    '@opentelemetry/instrumentation-mysql2': {
      maskStatement: true,
      maskStatementHook: (text) => text.replace(/ IN \(.*/s, ' IN (…)'),
    },
    '@opentelemetry/instrumentation-pg': { requireParentSpan: true },
    // Otherwise each field of each user has a span.
    '@opentelemetry/instrumentation-graphql': { ignoreResolveSpans: true },
  }),
})
sdk.start()
// Not at SIGTERM: requests in flight are still answered then.
process.once('beforeExit', () => sdk.shutdown())
