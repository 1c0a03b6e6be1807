// The proof: the gateway itself, started in this process over imported rows or over the old service.

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
  /** Values in a list. */
  readonly most: number
  readonly store: Store
}

/** Values for lists without a limit, and in a call of the store. */
const [MANY, MAX_CALL_VALUES] = [10_000, 100]
/** Far more than a response takes. Over the old service, it waits for the rate. */
const TIMEOUT_MS = 600_000

/** Values in a call of the store: DATABASE_MAX_VALUES. */
export const callValuesOf = (most: number) => Math.min(most, MAX_CALL_VALUES)

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
 * The old service as a store. If the dialect explains all responses byte for byte, it tells what the service
 * would respond to the store. If not, the requests of the store are sent.
 * @param onEnd gets what ended the probe; the gateway would make a response of it
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
