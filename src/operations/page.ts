// Builds the page for operators: collects its figures within a time limit, and puts the sections together.

import { pause } from '../clock.ts'
import { type CountsOf, type CountsOfAll, countsOf } from '../observe/counts.ts'
import { addUp } from '../observe/metrics.ts'
import { pageHeaders } from '../pages/headers.ts'
import { type Html, html } from '../pages/html.ts'
import { page } from '../pages/page.ts'
import { HistorySamples, type Readiness, type ServerTimes, sampleOf } from './history.ts'
import { charts, errors, facts, servers, traffic, verdictOn } from './sections.ts'

/** Milliseconds for the counts of all processes and the check of the store. */
const TIMEOUT_MS = 2_000
/** Milliseconds for which all views share one snapshot, so that many operators cost no more than one. */
const SNAPSHOT_MS = 1_000
/** Seconds between two refreshes. */
const REFRESH_S = 5
const MINUTE_MS = 60_000
/** The metrics of the page. The others have many series. */
const shownMetrics = /^lookup_(?!graphql_|batch_|store_query_)/

interface PageSources {
  readonly count: () => Promise<CountsOfAll>
  readonly readiness: () => Promise<Readiness>
  /** Which tables are empty, and what to do; null for none. */
  readonly whatIsEmpty: () => Promise<string | null>
  /** Lines that `/ready` shows, too. */
  readonly notes: () => readonly string[]
  /** Whether the old service answers lookups while the store is unavailable. */
  readonly isStandIn: () => boolean
  /** The name of the database, without secrets. */
  readonly database: () => string
  readonly serverTimes: ServerTimes
  /** Sections about leaving an old service. @param host of the request for the page */
  readonly migration: (counts: CountsOf, host: string) => Promise<readonly Html[]>
}

export function openOperatorPage(sources: PageSources) {
  const samples = new HistorySamples()
  let snapshot: ReturnType<typeof takeSnapshot> | null = null

  async function readCounts() {
    const { counted, ...processes } = await sources.count()
    return { counts: countsOf(await addUp(counted, shownMetrics)), processes }
  }

  async function takeSnapshot() {
    const [figures, readiness, empty = null] = await Promise.all([
      within(readCounts()),
      within(sources.readiness()),
      within(sources.whatIsEmpty()),
    ])
    setTimeout(() => {
      snapshot = null
    }, SNAPSHOT_MS).unref()
    return { figures, readiness, empty }
  }

  /** @param isPaused whether the page does not refresh itself */
  async function show(host: string, isPaused: boolean) {
    snapshot ??= takeSnapshot()
    const { figures, readiness, empty } = await snapshot
    const about =
      figures === undefined
        ? html`<p class="bad">No figures: the processes did not respond in time.</p>`
        : facts(figures.counts, figures.processes, sources.database())
    const lead = html`${refresh(isPaused)}
${verdictOn(readiness, empty, sources.isStandIn())}
${sources.notes().map((note) => html`<p class="bad">${note}</p>`)}
${about}`
    const body = html`${figures === undefined ? '' : sectionsOf(figures.counts)}
${await sources.migration(figures?.counts ?? (() => []), host)}`
    const text = page('Lookup Service · Operations', lead, body)
    return [200, text, { ...pageHeaders(text), ...(isPaused ? {} : { Refresh: String(REFRESH_S) }) }] as const
  }

  function sectionsOf(counts: CountsOf): Html {
    const now = sampleOf(counts)
    return html`${charts([...samples.all, now])}
${traffic(counts)}
${errors(counts, samples.before(MINUTE_MS), now)}
${servers(counts, sources.serverTimes)}`
  }

  return { sample: async () => samples.add(sampleOf((await readCounts()).counts)), show }
}

/** Undefined if the promise fails, or takes too long. */
function within<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([promise, pause(TIMEOUT_MS).then(() => undefined)]).catch(() => undefined)
}

/** A page that changes by itself can be stopped (WCAG 2.2.2). */
function refresh(isPaused: boolean): Html {
  const state = isPaused
    ? html`Automatic refresh is off. <a href="?refresh=off">Refresh now</a> <a href="./">Refresh automatically</a>`
    : html`Refreshes every ${REFRESH_S} seconds. <a href="?refresh=off">Pause</a>`
  return html`<p class="faint">As of ${new Date().toUTCString()}.
${state}</p>
<nav aria-label="More"><a href="ready">ready</a> <a href="metrics">metrics</a></nav>`
}
