// Opens a cutover: the dial, in the process that keeps it, and the routing of requests, in each process that
// answers them. Without CUTOVER_URL, it only opens the comparison with SHADOW_URL.

import type { Companions, Operations } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { createClientAddress } from '../../http/client-address.ts'
import type { LegacyResponder } from '../../http/routes.ts'
import { shownEvents } from '../../legacy/events.ts'
import type { CountsOf } from '../../observe/counts.ts'
import type { Observe } from '../../observe/events.ts'
import { createComparer } from '../shadow/comparer.ts'
import { createLabels } from '../shadow/reports.ts'
import { createDial } from './dial.ts'
import { createDivert } from './divert.ts'
import { createOldSide } from './old-side.ts'
import { createDialPage, describe } from './page.ts'
import { createSideOf } from './side.ts'
import { followDial, sendShares, serveWorkers } from './workers.ts'

const cluster = process.getBuiltinModule('node:cluster')

/**
 * Opens the dial, and the way in which operators reach it.
 * @param isOfWorkers whether other processes answer requests, which a reload replaces
 * @throws CommandError if CUTOVER_STATE cannot be used
 */
export function openDial(cutover: Config['cutover'], observe: Observe, isOfWorkers: boolean) {
  const dial = createDial(cutover, observe, sendShares)
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
  const operations: Operations = { ...createDialPage(dial, () => shown), renew, section }
  const close = () => {
    endService()
    dial.close()
  }
  return { dial, operations, close }
}

export async function openCutover(
  config: Config,
  url: string,
  observe: Observe,
  legacy: LegacyResponder,
): Promise<Companions> {
  const { cutover, trustedProxies: trusted } = config
  const control = cluster.isWorker ? null : openDial(cutover, observe, false)
  const { shares, compared, oldIsUp } = control?.dial ?? (await followDial(cutover.share))
  const labels = createLabels(shownEvents(config.dialect))
  const old = createOldSide({ ...cutover, url }, trusted, observe, () => oldIsUp(old.isUp()))
  // Anybody can make up a header, so the guard tells clients apart by address, whatever CUTOVER_BY is.
  const clientOf = createClientAddress(trusted)
  const watch = { clientOf, generation: () => shares().generation, compared }
  const comparer = createComparer(config, legacy, labels, observe, watch)
  const sideOf = createSideOf(cutover, trusted, shares, labels)
  const close = async () => {
    comparer.close()
    control?.close()
    old.close()
  }
  return {
    divert: createDivert(config, { sideOf, old, labels, comparer, observe }),
    operations: control?.operations ?? null,
    close,
  }
}

/** Compares a sample of the responses, without a cutover. */
export function openShadow(config: Config, observe: Observe, legacy: LegacyResponder): Companions {
  const labels = createLabels(shownEvents(config.dialect))
  const comparer = createComparer(config, legacy, labels, observe, null)
  return {
    divert: {
      readBody: () => null,
      handle: (context, newSide) => {
        const made = newSide.answer()
        if (made instanceof Promise) void made.then((response) => comparer.shadow(context, response))
        else comparer.shadow(context, made)
        return made
      },
    },
    operations: null,
    close: async () => comparer.close(),
  }
}
