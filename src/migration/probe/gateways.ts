// The gateways that advice is tried on: started for the probe alone, over what is known of the old service's
// data, or with the old service itself as their store.

import { createApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { listen } from '../../gateway/http/server.ts'
import { type Call, createCall, NoReply } from '../../stores/old-service/call.ts'
import { textOf } from '../../stores/old-service/client.ts'
import { failureFrom, OldServiceError } from '../../stores/old-service/failure.ts'
import { openOldServiceStore } from '../../stores/old-service/store.ts'
import type { Store } from '../../stores/store.ts'
import { type Ask, createFreeAsk, NoMoreRequests, type Outcomes } from './ask.ts'
import type { Behaviour } from './behaviour.ts'
import type { Finding } from './finding.ts'
import { type Known, knownStore } from './known.ts'

/** What a gateway does, in the order of the behaviours; `null` for what was not looked at. */
export interface Observed {
  readonly findings: readonly (Finding | null)[]
  readonly outcomes: Outcomes
}

/** Far more than any answer of these gateways takes; those over the old service wait for its pace. */
const TIMEOUT_MS = 600_000

/** A gateway with these settings, over what is known. */
export async function observeKnown(
  config: Config,
  known: Known,
  behaviours: readonly Behaviour[],
): Promise<Observed> {
  return withGateway(config, knownStore(known), async (call) => {
    const { ask, outcomes } = createFreeAsk(call)
    const findings: Finding[] = []
    for (const { observe } of behaviours) findings.push(await observe(ask))
    return { findings, outcomes }
  })
}

/**
 * A gateway with the old service as its store. What it asks is asked as the probe asks: paced, counted, and
 * nothing twice. Its own time limits are out of the way, since a gateway that is in use has no such pace.
 * @param config its database is the old service
 * @throws CannotProbe where the old service gets into trouble
 */
export async function observeOver(
  config: Config,
  askOld: Ask,
  behaviours: readonly Behaviour[],
): Promise<(Finding | null)[]> {
  const { database } = config
  if (database.kind !== 'old-service') throw new Error('The database is no old service.')
  const end: { reason: Error | null } = { reason: null }
  const ask = async (query: string) => {
    try {
      const outcome = await askOld(query)
      if (outcome instanceof NoReply) throw failureFrom(outcome)
      return textOf(outcome)
    } catch (error) {
      if (error instanceof OldServiceError) throw error
      // The gateway would make an answer of it: it is about the probe.
      end.reason = error instanceof Error ? error : new Error(String(error))
      throw new OldServiceError('the probe has ended', 'outage')
    }
  }
  const location = { ...database, connections: 100, timeout: TIMEOUT_MS }
  const store = openOldServiceStore(location, () => {}, ask)
  return withGateway(config, store, async (call) => {
    const gateway = createFreeAsk(call)
    const findings: (Finding | null)[] = []
    for (const { observe, isOwn } of behaviours) {
      const finding = isOwn || end.reason !== null ? null : await observe(gateway.ask)
      if (end.reason !== null && !(end.reason instanceof NoMoreRequests)) throw end.reason
      findings.push(end.reason === null ? finding : null)
    }
    return findings
  })
}

async function withGateway<Result>(
  config: Config,
  store: Store,
  use: (call: Call) => Promise<Result>,
): Promise<Result> {
  const nothingTrusted = { manifest: null, only: false }
  const alone = {
    ...config,
    rateLimit: null,
    accessLog: null,
    shadow: { ...config.shadow, url: null, headers: {}, sample: 0 },
    cutover: { ...config.cutover, url: null },
    trustedDocuments: nothingTrusted,
  }
  const app = await createApp(alone, store, () => {})
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts: config.timeouts })
  const url = listener.url.replace('localhost', '127.0.0.1')
  try {
    return await use(createCall({ url, headers: {} }, { timeout: TIMEOUT_MS, connections: 1 }))
  } finally {
    await listener.close(0)
    app.close()
    store.close()
  }
}
