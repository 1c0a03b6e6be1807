// The admin port: what operators ask of all processes.

import { hostname } from 'node:os'
import { type RenewableOperations, shadowSections } from '../app.ts'
import type { Config } from '../config/config.ts'
import { LookupError } from '../errors.ts'
import { createAdmin } from '../http/admin.ts'
import { type Listener, listen } from '../http/server.ts'
import { lazily } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import { type CountsOfAll, SAMPLE_INTERVAL_MS } from '../operations/samples.ts'
import { type Readiness, type ServerTimes, watchReadiness } from '../operations/since.ts'
import { nameOf } from '../stores/database-errors.ts'
import { type Store, UnusableDatabase } from '../stores/store.ts'
import { listenOrExplain } from './listen-or-explain.ts'
import type { Asked } from './worker.ts'

/** What is seen there. */
interface Watched {
  readonly store: Store
  /** What the database lacks, and what to do; `null` for nothing. */
  readonly whatIsEmpty: () => Promise<string | null>
  readonly count: (asked: Asked) => Promise<CountsOfAll>
  readonly isServing: () => boolean
  readonly operations: () => RenewableOperations | null
  readonly serverTimes: ServerTimes
  /** The settings in force. */
  readonly inForce: () => Config
}

/**
 * The admin port is a convenience until the operator chooses it: a port in use must not keep the
 * gateway from starting.
 */
export async function listenAdmin(
  { adminPort, adminPortChosen, adminHost, adminHosts, timeouts }: Config,
  watched: Watched,
  observe: Observe,
): Promise<Listener | null> {
  if (adminPort === 'off') return null
  const { store, whatIsEmpty, count, isServing, operations } = watched
  const readiness = watchReadiness(async () =>
    isServing() ? whyUnavailable(store) : 'no worker is listening',
  )
  const whyNotReady = async () => (await readiness()).reason
  const metrics = async () => {
    const { printMetrics } = await import('../observe/metrics.ts')
    return printMetrics((await count('metrics')).counted)
  }
  const page = lazily(() => openPage(watched, readiness))
  const sample = async () => (await page()).sample()
  const show = async (host: string, isPaused: boolean) => (await page()).show(host, isPaused)
  const hosts = [hostname(), adminHost, ...adminHosts]
  const aboutData = async () => {
    const empty = await whatIsEmpty()
    return empty === null ? null : `database: ${empty}`
  }
  const handle = createAdmin({ whyNotReady, aboutData, metrics, hosts, operations, page: show })
  const start = async () => {
    const listener = await listen({ handle }, { port: adminPort, host: adminHost, timeouts })
    const sampling = setInterval(() => void sample().catch(() => {}), SAMPLE_INTERVAL_MS).unref()
    const close = (linger?: number) => {
      clearInterval(sampling)
      return listener.close(linger)
    }
    return { ...listener, close }
  }
  if (adminPortChosen) return listenOrExplain('ADMIN_PORT', start)
  try {
    return await start()
  } catch (error) {
    observe({ type: 'admin-skipped', reason: error instanceof Error ? error.message : String(error) })
    return null
  }
}

/** Loaded for the first sample or look. */
async function openPage(
  { count, whatIsEmpty, operations, serverTimes, inForce }: Watched,
  readiness: () => Promise<Readiness>,
) {
  const { openOperatorPage } = await import('../operations/page.ts')
  return openOperatorPage({
    ...{ readiness, whatIsEmpty, serverTimes },
    count: () => count('look'),
    notes: () => operations()?.notes() ?? [],
    isStandIn: () => operations()?.isStandIn() ?? false,
    database: () => nameOf(inForce().database),
    migration: async (counts, host) => {
      const dial = await operations()?.section(host)
      return [...(dial === undefined ? [] : [dial]), ...(await shadowSections(inForce(), counts))]
    },
  })
}

/** The admin port is for operators: they may read what is wrong with a file. */
async function whyUnavailable(store: Store): Promise<string | null> {
  try {
    await store.ready()
    return null
  } catch (error) {
    const cause = error instanceof LookupError ? error.cause : null
    return cause instanceof UnusableDatabase ? cause.message : 'the database is unavailable; see the log'
  }
}
