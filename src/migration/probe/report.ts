// The results of a probe as data: the JSON report is this object.

import type { Config } from '../../config/config.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { writeDialect } from '../../legacy/dialect-file.ts'
import { differencesOf, valueAt } from '../../legacy/dialect-places.ts'
import { type Call, NoResponse } from '../../stores/old-service/call.ts'
import { withinBudget } from './client.ts'
import { compare, type ProbeComparison, withoutResponse } from './differences.ts'
import { callValuesOf, storeOver, tryAsStore, withGateway } from './gateway.ts'
import { MAX_LIST_VALUES } from './limit.ts'
import type { ProbeResult } from './probe.ts'
import { users } from './requests.ts'
import { legacyResponseOf, responseTo } from './responses.ts'
import { storeOf } from './rows.ts'
import { observeTransport } from './transport.ts'
import { findUnseen } from './unseen.ts'

export type ProbeReport = Awaited<ReturnType<typeof reportOn>>

/** Whether all responses have the same meaning. */
export const isSame = ({ rows }: Pick<ProbeReport, 'rows'>): boolean =>
  rows.every(({ imported }) => imported?.result !== 'different')

/**
 * Checks the dialect: sends the same requests to the gateway, and compares.
 * @param config of the gateway
 * @param earlier the dialect of an earlier probe
 */
export async function reportOn(
  probed: ProbeResult,
  config: Config,
  old: OldServiceTarget,
  earlier: Dialect | null,
) {
  const { testRequests, client, dialect, chat, limit, known } = probed
  const { mask } = probed.evidence
  async function compareAll(call: Call): Promise<(ProbeComparison | null)[]> {
    const comparisons: (ProbeComparison | null)[] = []
    for (const { query } of testRequests) {
      const outcome = client.outcomes.get(query)
      if (outcome === undefined) comparisons.push(null)
      else if (outcome instanceof NoResponse) comparisons.push(withoutResponse(outcome))
      else
        comparisons.push(compare(mask(legacyResponseOf(outcome)), mask(legacyResponseOf(await call(query)))))
    }
    return comparisons
  }
  const spent = 'the budget was spent before'
  const asStore = await withinBudget(() => tryAsStore(probed), { lookups: spent, copying: spent })
  const over =
    asStore.lookups === null ? await withGateway(config, probed, storeOver(probed), compareAll) : []
  return withGateway(config, probed, storeOf(known.rows), async (call, own) => {
    const imported = await compareAll(call)
    // At the end: some services stop working when they get an odd target.
    const { rows: transport, paths } = await observeTransport(probed, old, own)
    return {
      url: old.url,
      made: new Date().toISOString(),
      ...client.costs(),
      /** A comparison is null if the request was not sent. `over`: with the old service as the store. */
      rows: testRequests.map(({ title, query }, at) => {
        return { title, query, imported: imported[at] ?? null, over: over[at] ?? null }
      }),
      unseen: findUnseen(probed),
      transport,
      asStore,
      chat: { method: chat.method, tried: chat.tried, isCertain: chat.identifiers.size > 0 },
      /** Values in the longest list with a complete response, and what happens to longer lists. */
      limit: { seen: limit.most ?? MAX_LIST_VALUES, beyond: limit.beyond },
      /** Texts before values that the service changes by itself. */
      changing: probed.changing,
      /** Since an earlier file; null if there is none. */
      since: earlier === null ? null : changesSince(earlier, dialect),
      /** Settings of the gateway that go with the dialect. */
      settings: settingsFor(probed, paths),
      /** The values that are not the default. */
      dialect: withoutDefaults(dialect),
    }
  })
}

function withoutDefaults(dialect: Dialect): object {
  return JSON.parse(writeDialect(dialect))
}

function changesSince(earlier: Dialect, dialect: Dialect) {
  return differencesOf(earlier, dialect).map(({ path }) => {
    return { choice: path.join('.'), was: valueAt(earlier, path), is: valueAt(dialect, path) }
  })
}

/** Limits of the settings. */
const [MAX_AGE, MAX_TIMEOUT_MS, MIN_TIMEOUT_MS] = [31_536_000, 60_000, 2_000]

/** Only what was seen: a service that had no limit up to 1,200 values may have one beyond. */
function settingsFor(
  { limit, client, known }: ProbeResult,
  paths: readonly string[],
): Readonly<Record<string, string>> {
  const headers = responseTo(client.outcomes, users(known.users[0] ?? ''))?.headers
  const maxAge = Number(/\bmax-age=(\d+)/.exec(headers?.['cache-control'] ?? '')?.[1] ?? 0)
  const most = limit.most ?? MAX_LIST_VALUES
  // Three times the slowest response, because the probe sent one request at a time.
  const timeout = Math.ceil((3 * client.costs().slowest) / 500) * 500
  return {
    ...(paths.join() !== '/' && { LEGACY_PATHS: paths.join() }),
    ...(limit.isComplete && { LEGACY_MAX_VALUES: String(most) }),
    ...(maxAge > 0 && { LEGACY_MAX_AGE: String(Math.min(maxAge, MAX_AGE)) }),
    DATABASE_MAX_VALUES: String(callValuesOf(most)),
    DATABASE_TIMEOUT: String(Math.min(Math.max(timeout, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS)),
  }
}
