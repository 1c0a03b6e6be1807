// OpenTelemetry's standard instrumentation of Node, set for this service; `--import` loads it first (docs/observing.md).

import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import { NodeSDK } from '@opentelemetry/sdk-node'

const { env } = process
env.OTEL_SERVICE_NAME ??= 'lookup-service'
env.OTEL_NODE_ENABLED_INSTRUMENTATIONS ??= 'http,pg,graphql,pino'
// Without `process`: its arguments may hold the password of a database.
env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,os,serviceinstance'
// These have ways of their own.
env.OTEL_METRICS_EXPORTER ??= 'none'
env.OTEL_LOGS_EXPORTER ??= 'none'

const sdk = new NodeSDK({
  instrumentations: getNodeAutoInstrumentations({
    // A query string says who was asked about.
    '@opentelemetry/instrumentation-http': { startIncomingSpanHook: () => ({ 'url.query': undefined }) },
    // The gateway probes its servers every second, for nobody in particular.
    '@opentelemetry/instrumentation-pg': { requireParentSpan: true },
    // Otherwise there is a span for each field of each user.
    '@opentelemetry/instrumentation-graphql': { ignoreResolveSpans: true },
  }),
})
sdk.start()
// Not at SIGTERM: requests in flight are still answered then.
process.once('beforeExit', () => sdk.shutdown())
