// The results of a probe as data: the JSON report is this object.

import type { Config } from '../../config/config.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { writeDialect } from '../../legacy/dialect-file.ts'
import { differencesOf, valueAt } from '../../legacy/dialect-places.ts'
import { type Call, NoResponse } from '../../stores/old-service/call.ts'
import { type ProbeCosts, withinBudget } from './client.ts'
import { compare, type ProbeComparison, withoutResponse } from './differences.ts'
import { callValuesOf, type StoreFaults, storeOver, tryAsStore, withGateway } from './gateway.ts'
import { MAX_LIST_VALUES } from './limit.ts'
import type { ProbeResult } from './probe.ts'
import { users } from './requests.ts'
import { legacyResponseOf, responseTo } from './responses.ts'
import { storeOf } from './rows.ts'
import { observeTransport, type TransportRow } from './transport.ts'
import { findUnseen, type UnseenChoice } from './unseen.ts'

interface ReportRow {
  readonly title: string
  readonly query: string
  /** Null if the request was not sent. */
  readonly imported: ProbeComparison | null
  /** The same for a gateway with the old service as its store. */
  readonly over: ProbeComparison | null
}

/** A place of the dialect that another probe found otherwise. */
interface DialectChange {
  readonly choice: string
  readonly was: unknown
  readonly is: unknown
}

export interface ProbeReport extends ProbeCosts {
  readonly url: string
  readonly made: string
  readonly rows: readonly ReportRow[]
  readonly unseen: readonly UnseenChoice[]
  readonly transport: readonly TransportRow[]
  readonly asStore: StoreFaults
  readonly chat: { readonly method: string | null; readonly tried: number; readonly isCertain: boolean }
  /** Values in the longest list with a complete response, and what happens to longer lists. */
  readonly limit: { readonly seen: number; readonly beyond: string | null }
  /** Texts before values that the service changes by itself. */
  readonly changing: readonly string[]
  /** Since an earlier file; null if there is none. */
  readonly since: readonly DialectChange[] | null
  /** Settings of the gateway that go with the dialect. */
  readonly settings: Readonly<Record<string, string>>
  /** The values that are not the default. */
  readonly dialect: object
}

/** Whether all responses have the same meaning. */
export const isSame = ({ rows }: Pick<ProbeReport, 'rows'>): boolean =>
  rows.every(({ imported }) => imported?.result !== 'different')

interface ReportOptions {
  readonly config: Config
  readonly old: OldServiceTarget
  readonly earlier: Dialect | null
}

/** Checks the dialect: sends the same requests to the gateway, and compares. */
export async function reportOn(
  probed: ProbeResult,
  { config, old, earlier }: ReportOptions,
): Promise<ProbeReport> {
  const { testRequests, client, dialect, evidence, chat, limit, known } = probed
  const { mask } = evidence
  const { most } = known
  const compareAll = async (call: Call) => {
    const comparisons: (ProbeComparison | null)[] = []
    for (const { query } of testRequests) {
      const outcome = client.outcomes.get(query)
      comparisons.push(
        outcome === undefined
          ? null
          : outcome instanceof NoResponse
            ? withoutResponse(outcome)
            : compare(mask(legacyResponseOf(outcome)), mask(legacyResponseOf(await call(query)))),
      )
    }
    return comparisons
  }
  const spent = 'the budget was spent before'
  const asStore = await withinBudget(() => tryAsStore(probed), { lookups: spent, copying: spent })
  const over =
    asStore.lookups === null
      ? await withGateway(config, { dialect, most, store: storeOver(probed) }, compareAll)
      : []
  const store = storeOf(known.rows)
  return withGateway(config, { dialect, most, store }, async (call, own) => {
    const imported = await compareAll(call)
    // At the end: some services stop working when they get an odd target.
    const { rows: transport, paths } = await observeTransport(probed, old, own)
    const unsent = testRequests.filter(({ query }) => !client.outcomes.has(query))
    return {
      ...{ url: old.url, made: new Date().toISOString(), ...client.costs() },
      rows: testRequests.map(({ title, query }, at) => {
        return { title, query, imported: imported[at] ?? null, over: over[at] ?? null }
      }),
      ...{ unseen: findUnseen(probed, unsent), transport, asStore },
      chat: { method: chat.method, tried: chat.tried, isCertain: chat.identifiers.size > 0 },
      limit: { seen: limit.most ?? MAX_LIST_VALUES, beyond: limit.beyond },
      changing: probed.changing,
      since: earlier === null ? null : changesSince(earlier, dialect),
      settings: settingsFor(probed, paths),
      dialect: JSON.parse(writeDialect(dialect)),
    }
  })
}

function changesSince(earlier: Dialect, dialect: Dialect): DialectChange[] {
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
