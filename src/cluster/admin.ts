// The admin port: what operators ask of all processes.

import { hostname } from 'node:os'
import { shadowSections } from '../app.ts'
import type { Config } from '../config/config.ts'
import { LookupError } from '../errors.ts'
import { createAdmin } from '../http/admin.ts'
import { type Listener, listen } from '../http/server.ts'
import { lazily } from '../lazily.ts'
import type { Observe } from '../observe/events.ts'
import { SAMPLE_INTERVAL_MS } from '../operations/samples.ts'
import { type Readiness, type ServerTimes, watchReadiness } from '../operations/since.ts'
import { type Store, UnusableDatabase } from '../stores/store.ts'
import type { Service } from './serve.ts'
import { type Database, listenOrExplain } from './startup.ts'

/** What operators see. */
interface Sources {
  readonly service: Service
  readonly database: Database
  readonly serverTimes: ServerTimes
  /** The settings by which requests are answered. */
  readonly settings: () => Config
}

/** @returns `null` if it is off, or if its default port is taken: that must not prevent a start */
export async function listenAdmin(sources: Sources, observe: Observe): Promise<Listener | null> {
  const { service, database } = sources
  const { adminPort, adminPortChosen, adminHost, adminHosts, timeouts } = sources.settings()
  if (adminPort === 'off') return null
  const readiness = watchReadiness(async () =>
    service.isListening() ? whyUnavailable(database.store) : 'no worker is listening',
  )
  const page = lazily(() => openPage(sources, readiness))
  const handle = createAdmin({
    whyNotReady: async () => (await readiness()).reason,
    aboutData: async () => {
      const empty = await database.whatIsEmpty()
      return empty === null ? null : `database: ${empty}`
    },
    metrics: async () => {
      const { printMetrics } = await import('../observe/metrics.ts')
      return printMetrics((await service.count('all')).counted)
    },
    hosts: [hostname(), adminHost, ...adminHosts],
    operations: service.operations,
    page: async (host, isPaused) => (await page()).show(host, isPaused),
  })
  const start = async (): Promise<Listener> => {
    const listener = await listen({ handle }, { port: adminPort, host: adminHost, timeouts })
    const sample = async () => (await page()).sample()
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

/** The page for operators, which loads with the first sample or view. */
async function openPage(sources: Sources, readiness: () => Promise<Readiness>) {
  const { service, database, serverTimes, settings } = sources
  const { openOperatorPage } = await import('../operations/page.ts')
  return openOperatorPage({
    ...{ readiness, whatIsEmpty: database.whatIsEmpty, serverTimes, database: database.name },
    count: () => service.count('own'),
    notes: () => service.operations()?.notes() ?? [],
    isStandIn: () => service.operations()?.isStandIn() ?? false,
    migration: async (counts, host) => {
      const dial = await service.operations()?.section(host)
      return [...(dial === undefined ? [] : [dial]), ...(await shadowSections(settings(), counts))]
    },
  })
}

/** Why lookups fail. Operators may read what is wrong with a file. */
async function whyUnavailable(store: Store): Promise<string | null> {
  try {
    await store.ready()
    return null
  } catch (error) {
    const cause = error instanceof LookupError ? error.cause : null
    return cause instanceof UnusableDatabase ? cause.message : 'the database is unavailable; see the log'
  }
}
