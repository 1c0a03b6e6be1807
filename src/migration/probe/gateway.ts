// Starts a gateway with the dialect that the probe has found, so that the probe can compare its responses
// with those of the old service. Only `lookup probe` uses this file.

import { createApp } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { Service } from '../../config/old-service.ts'
import { listen } from '../../http/server.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { createFacade, replyTo, rowFinder } from '../../legacy/facade.ts'
import { type Call, createCall, NoReply, type Reply } from '../../stores/old-service/call.ts'
import { openOldServiceStore } from '../../stores/old-service/store.ts'
import type { Store } from '../../stores/store.ts'
import type { ProbeResult } from './probe.ts'
import { responseOf } from './replies.ts'

interface Gateway {
  readonly dialect: Dialect
  /** Values in a list that the old service accepts; infinite if no limit was found. */
  readonly most: number
  /** The imported rows, or the old service: see `storeOver`. */
  readonly store: Store
}

/** LEGACY_MAX_VALUES if the old service has no limit. */
const MANY = 10_000
/** Values in a call of a store over the old service. */
const MAX_CALL_VALUES = 100
/** Milliseconds for a response. Over the old service, a response waits for the rate of the probe. */
const TIMEOUT_MS = 600_000

/** DATABASE_MAX_VALUES for an old service that accepts lists of so many values. */
export const callValuesOf = (most: number) => Math.min(most, MAX_CALL_VALUES)

/**
 * Starts the gateway on a free port, and stops it after `use`. It has the settings of the operator, except
 * for those that other clients or services would notice: limits of rates, logs, the shadow and the cutover
 * are off.
 */
export async function withGateway<Result>(
  config: Config,
  { dialect, most, store }: Gateway,
  use: (call: Call, service: Service) => Promise<Result>,
): Promise<Result> {
  const { legacy, shadow, cutover, timeouts } = config
  const app = await createApp(
    {
      ...config,
      ...{ dialect, rateLimit: null, accessLog: null },
      legacy: { ...legacy, maxValues: Math.min(most, MANY), paths: ['/'] },
      shadow: { ...shadow, url: null, headers: {}, sample: 0 },
      cutover: { ...cutover, url: null },
      trustedDocuments: { manifest: null, only: false },
    },
    store,
    () => {},
  )
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts })
  const service = { url: listener.url.replace('localhost', '127.0.0.1'), headers: {} }
  try {
    return await use(createCall(service, { timeout: TIMEOUT_MS, connections: 1 }), service)
  } finally {
    await listener.close(0)
    await app.close()
    store.close()
  }
}

/**
 * Returns the old service as a store.
 * @param isExact whether the dialect explains all responses byte for byte: responses are then computed by it,
 * and no request is sent
 * @param onEnd is called with the error that ended the probe. The gateway would hide the error in a response
 */
export function storeOver(
  { dialect, known, evidence, asking }: ProbeResult,
  isExact: boolean,
  onEnd: (error: unknown) => void,
): Store {
  const facade = createFacade(dialect, known.most)
  const find = rowFinder(evidence.rows)
  async function ask(query: string): Promise<Reply | NoReply> {
    try {
      return isExact ? responseOf(replyTo(facade, find, query)) : await asking.ask(query)
    } catch (error) {
      onEnd(error)
      return new NoReply('the probe has ended', 'unreachable')
    }
  }
  const location = {
    kind: 'old-service' as const,
    ...{ url: 'http://localhost/', headers: {}, connections: 100, timeout: TIMEOUT_MS },
    ...{ maxValues: callValuesOf(known.most), dialect },
  }
  return openOldServiceStore(location, () => {}, undefined, ask)
}
