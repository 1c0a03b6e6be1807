// The admin port: readiness, metrics and the page for operators, about all processes.

import { hostname } from 'node:os'
import { shadowSection } from '../app.ts'
import type { Config } from '../config/config.ts'
import { createAdmin } from '../http/admin.ts'
import { type Listener, listen } from '../http/server.ts'
import { lazily } from '../lazily.ts'
import { countsOf } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import { addUp, printMetrics } from '../observe/metrics.ts'
import {
  type Readiness,
  SAMPLE_INTERVAL_MS,
  type ServerTimes,
  watchReadiness,
} from '../operations/history.ts'
import type { Service } from './serve.ts'
import { type Database, listenOrExplain } from './startup.ts'

interface Sources {
  readonly service: Service
  readonly database: Database
  readonly serverTimes: ServerTimes
  /** The settings of the processes that respond to requests. */
  readonly settings: () => Config
}

/** @returns `null` if ADMIN_PORT is off, or if its default port is in use: that must not prevent a start */
export async function listenAdmin(sources: Sources, observe: Observe): Promise<Listener | null> {
  const { service, database } = sources
  const { adminPort, adminPortChosen, adminHost, adminHosts, timeouts } = sources.settings()
  if (adminPort === 'off') return null
  const readiness = watchReadiness(async () => service.whyNotServing() ?? (await database.whyUnavailable()))
  const page = lazily(() => openPage(sources, readiness))
  const handle = createAdmin({
    whyNotReady: async () => (await readiness()).reason,
    whatIsEmpty: async () => {
      const empty = await database.whatIsEmpty()
      return empty && `database: ${empty}`
    },
    metrics: async () => printMetrics((await service.count('scrape')).counted),
    migrationCounts: async () =>
      countsOf(await addUp((await service.count('page')).counted, /^lookup_cutover_/)),
    hosts: [hostname(), adminHost, ...adminHosts],
    operations: service.operations,
    page: async (host, isPaused) => (await page()).show(host, isPaused),
  })
  const options = { port: adminPort, host: adminHost, timeouts }
  const skip = ({ message: reason }: Error) => {
    observe({ type: 'admin-skipped', reason })
    return null
  }
  const listener = adminPortChosen
    ? await listenOrExplain('ADMIN_', { handle }, options)
    : await listen({ handle }, options).catch(skip)
  if (listener === null) return null
  const sample = async () => (await page()).sample()
  const sampling = setInterval(() => void sample().catch(() => {}), SAMPLE_INTERVAL_MS).unref()
  const close = (linger?: number) => {
    clearInterval(sampling)
    return listener.close(linger)
  }
  return { ...listener, close }
}

/** The page for operators, loaded with the first sample or view. */
async function openPage(
  { service, database, serverTimes, settings }: Sources,
  readiness: () => Promise<Readiness>,
) {
  const { operations } = service
  const { openOperatorPage } = await import('../operations/page.ts')
  return openOperatorPage({
    readiness,
    whatIsEmpty: database.whatIsEmpty,
    serverTimes,
    database: database.name,
    count: () => service.count('page'),
    notes: () => operations()?.notes() ?? [],
    isStandIn: () => operations()?.isStandIn() ?? false,
    migration: async (counts, host) => {
      const sections = [await operations()?.section(counts, host), await shadowSection(settings(), counts)]
      return sections.filter((section) => section != null)
    },
  })
}
