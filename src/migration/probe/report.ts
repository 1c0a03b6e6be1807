// The results of a probe as data: the JSON report is this object.

import type { Config } from '../../config/config.ts'
import type { OldServiceTarget } from '../../config/old-service.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { writeDialect } from '../../legacy/dialect-file.ts'
import { differencesOf, valueAt } from '../../legacy/dialect-places.ts'
import { type Call, NoResponse } from '../../stores/old-service/call.ts'
import { BudgetError, withinBudget } from './client.ts'
import { compare, type ProbeComparison, withoutResponse } from './differences.ts'
import { callValuesOf, type StoreFaults, storeOver, tryAsStore, withGateway } from './gateway.ts'
import { MAX_LIST_VALUES } from './limit.ts'
import type { ProbeCosts, ProbeResult } from './probe.ts'
import { users } from './requests.ts'
import { legacyResponseOf, responseTo } from './responses.ts'
import { storeOf } from './rows.ts'
import { findOtherPaths, observeTransport, type TransportRow } from './transport.ts'
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

/** Checks the dialect: sends the same requests to the gateway, and compares. */
export async function reportOn(
  probed: ProbeResult,
  {
    config,
    old,
    earlier,
  }: { readonly config: Config; readonly old: OldServiceTarget; readonly earlier: Dialect | null },
): Promise<ProbeReport> {
  const { testRequests, client, dialect, evidence, chat, limit, known } = probed
  const { most } = known
  const { mask } = evidence
  const compareWith = async (call: Call, query: string): Promise<ProbeComparison | null> => {
    const outcome = client.outcomes.get(query)
    if (outcome === undefined) return null
    if (outcome instanceof NoResponse) return withoutResponse(outcome)
    return compare(mask(legacyResponseOf(outcome)), mask(legacyResponseOf(await call(query))))
  }
  const imported = { dialect, most, store: storeOf(known.rows) }
  return withGateway(config, imported, async (call, own) => {
    const rows: ReportRow[] = []
    for (const { title, query } of testRequests)
      rows.push({ title, query, imported: await compareWith(call, query), over: null })
    const paths = [
      new URL(old.url).pathname,
      ...(await withinBudget(() => findOtherPaths(probed, old.url), [])),
    ]
    const spent = 'the budget was spent before'
    const asStore = await withinBudget(() => tryAsStore(probed), { lookups: spent, copying: spent })
    const both = asStore.lookups === null ? await compareOver(rows) : rows
    // At the end: some services stop working when they get an odd target.
    const transport = await withinBudget(() => observeTransport(probed, old, own), [])
    const unsent = testRequests.filter(({ query }) => !client.outcomes.has(query))
    return {
      ...{ url: old.url, made: new Date().toISOString(), ...probed.costs(), rows: both },
      ...{ unseen: findUnseen(probed, unsent), transport, asStore },
      chat: { method: chat.method, tried: chat.tried, isCertain: chat.identifiers.size > 0 },
      limit: { seen: limit.most ?? MAX_LIST_VALUES, beyond: limit.beyond },
      changing: probed.changing,
      since: earlier === null ? null : changesSince(earlier, dialect),
      settings: settingsFor(probed, paths, known.users[0] ?? ''),
      dialect: JSON.parse(writeDialect(dialect)),
    }
  })

  async function compareOver(rows: readonly ReportRow[]): Promise<ReportRow[]> {
    const isExact = rows.every(({ imported }) => imported?.result === 'same bytes')
    let end: unknown = null
    const store = storeOver(probed, isExact, (error) => {
      end = error
    })
    const compared: ReportRow[] = []
    await withGateway(config, { dialect, most, store }, async (call) => {
      for (const row of rows) {
        const over = end === null ? await compareWith(call, row.query) : null
        compared.push({ ...row, over: end === null ? over : null })
      }
    })
    if (end !== null && !(end instanceof BudgetError)) throw end
    return compared
  }
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
  { limit, client, costs }: ProbeResult,
  paths: readonly string[],
  id: string,
): Readonly<Record<string, string>> {
  const headers = responseTo(client.outcomes, users(id))?.headers
  const maxAge = Number(/\bmax-age=(\d+)/.exec(headers?.['cache-control'] ?? '')?.[1] ?? 0)
  const most = limit.most ?? MAX_LIST_VALUES
  // Three times the slowest response, because the probe sent one request at a time.
  const timeout = Math.ceil((3 * costs().slowest) / 500) * 500
  return {
    ...(paths.join() !== '/' && { LEGACY_PATHS: paths.join() }),
    ...(limit.isComplete && { LEGACY_MAX_VALUES: String(most) }),
    ...(maxAge > 0 && { LEGACY_MAX_AGE: String(Math.min(maxAge, MAX_AGE)) }),
    DATABASE_MAX_VALUES: String(callValuesOf(most)),
    DATABASE_TIMEOUT: String(Math.min(Math.max(timeout, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS)),
  }
}
