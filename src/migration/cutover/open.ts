// Opens a cutover: the dial, in the process that keeps it, and the routing of requests, in each process that
// answers them.

import type { Companions, Operations } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { createClientAddress } from '../../http/client-address.ts'
import type { Divert, LegacyResponder } from '../../http/routes.ts'
import { parseTarget } from '../../http/target.ts'
import { shownEvents } from '../../legacy/events.ts'
import { legacyHeaders } from '../../legacy/handler.ts'
import type { CountsOf } from '../../observe/counts.ts'
import type { Observe } from '../../observe/events.ts'
import { type ComparisonDirection, createComparer } from '../shadow/comparer.ts'
import { createLabels } from '../shadow/reports.ts'
import { createDial, type Dial } from './dial.ts'
import { createDivert } from './divert.ts'
import { createOldSide } from './old-side.ts'
import { createDialPage, describe } from './page.ts'
import { createSideOf } from './side.ts'
import { openStateFile } from './state-file.ts'
import { followDial, sendShares, serveWorkers } from './workers.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** The dial, and how operators reach it. */
interface DialControl {
  readonly dial: Dial
  readonly operations: Operations
  readonly close: () => void
}

/**
 * @param isOfWorkers whether other processes answer requests, which a reload replaces
 * @throws CommandError if CUTOVER_STATE cannot be used
 */
export function openDial(cutover: Config['cutover'], observe: Observe, isOfWorkers: boolean): DialControl {
  const file = cutover.state === null ? null : openStateFile(cutover.state)
  const dial = createDial({ ...cutover, file, observe, onSet: sendShares })
  const endService = serveWorkers(dial)
  let shown = cutover
  const renew = ({ cutover: latest }: Config) => {
    // Without CUTOVER_URL, the processes that still pass requests on do so until they end.
    if (latest.url === null) return
    dial.renew(latest.share)
    const { guard, guardWindow } = cutover
    if (isOfWorkers) shown = { ...latest, guard, guardWindow }
  }
  const section = async (counts: CountsOf, host: string) =>
    (await import('../operator-sections.ts')).dialSection(describe(dial, shown, counts), host)
  const close = () => {
    endService()
    dial.close()
  }
  return { dial, operations: { ...createDialPage(dial, () => shown), renew, section }, close }
}

/** Compares a sample of the responses, without a cutover. */
export function openShadow(config: Config, observe: Observe, legacy: LegacyResponder): Companions {
  const { shadow, dialect } = config
  const comparer = createComparer({
    ...{ shadow: shadowOf(config), mirror: null, watch: null },
    ...{ noise: shadow.noise, legacy, events: shownEvents(dialect), observe },
  })
  const divert: Divert = {
    readBody: () => null,
    handle: (context, newSide) => {
      const made = newSide.answer()
      if (made instanceof Promise) void made.then((response) => comparer.shadow(context, response))
      else comparer.shadow(context, made)
      return made
    },
  }
  return { divert, operations: null, close: async () => comparer.close() }
}

/** How responses of the gateway are compared with those of SHADOW_URL; null if they are not. */
function shadowOf({ shadow: { url, headers, sample } }: Config): ComparisonDirection | null {
  return url === null || sample === 0 ? null : { sample, service: { url, headers }, hasRequestPath: false }
}

export async function openCutover(
  config: Config,
  url: string,
  observe: Observe,
  legacy: LegacyResponder,
): Promise<Companions> {
  const { cutover, shadow, dialect, trustedProxies: trusted, maxBody } = config
  const { headers, fallback, guard, mirror } = cutover
  const control = cluster.isWorker ? null : openDial(cutover, observe, false)
  const { shares, compared, oldIsUp } = control?.dial ?? (await followDial(cutover.share))
  const events = shownEvents(dialect)
  const labels = createLabels(events)
  const old = createOldSide({
    ...{ ...cutover, url, trusted, observe },
    onChange: () => oldIsUp(old.isUp()),
  })
  const own = { service: { url, headers }, hasRequestPath: true }
  const comparer = createComparer({
    shadow: shadowOf(config) ?? (guard === 'off' ? null : { ...own, sample: 1 }),
    mirror: { ...own, sample: mirror },
    // Anybody can make up a header, so the guard tells clients apart by address, whatever CUTOVER_BY is.
    watch: { clientOf: createClientAddress(trusted), generation: () => shares().generation, compared },
    ...{ noise: shadow.noise, legacy, events, observe },
  })
  const divert = createDivert({
    sideOf: createSideOf({
      ...{ ...cutover, trusted, shares },
      eventOf: (request) => labels(parseTarget(request.url ?? '/').query).event,
    }),
    legacyHeaders: legacyHeaders(config.legacy),
    ...{ old, labels, fallback, maxBody, comparer, observe },
  })
  const close = async () => {
    comparer.close()
    control?.close()
    old.close()
  }
  return { divert, operations: control?.operations ?? null, close }
}
