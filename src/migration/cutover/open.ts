// Passing requests to an old service, as one process does it; and the dial of all of them.

import type { RenewableOperations } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import type { Divert } from '../../http/routes.ts'
import { shownEvents } from '../../legacy/events.ts'
import type { Observe } from '../../observe/events.ts'
import { createPlaces } from './cohort.ts'
import { createDial, type Dial, type DialLink } from './dial.ts'
import { createDivert } from './divert.ts'
import { createOldSide } from './old-side.ts'
import { createDialPage, describe } from './page.ts'
import { createPassedAnswers } from './passed-answer.ts'
import { createTally } from './tally.ts'
import { followDial, serveWorkers, tellWorkers } from './workers.ts'

const cluster = process.getBuiltinModule('node:cluster')

/** Where the dial is kept, and how operators reach it. */
interface DialControl {
  readonly dial: Dial
  readonly operations: RenewableOperations
  readonly close: () => void
}

export function openDial(cutover: Config['cutover'], observe: Observe): DialControl {
  const dial = createDial({ ...cutover, observe, onShare: tellWorkers })
  let known = cutover.share
  const page = createDialPage(dial, cutover)
  const renew = ({ cutover: { url, share } }: Config) => {
    // Left for good: what still runs with the old service goes on as it is until it is restarted.
    if (url === null) return
    // Settings are read anew for other reasons, too: what an operator or the guard has set since then stays.
    if (share !== known) dial.set(share, 'settings')
    known = share
  }
  const section = async (host: string) =>
    (await import('../operator-sections.ts')).dialSection(describe(dial, cutover), host)
  return { dial, operations: { ...page, renew, section }, close: serveWorkers(dial) }
}

export interface Cutover {
  readonly divert: Divert
  readonly link: DialLink
  /** `null` in a worker. */
  readonly operations: DialControl['operations'] | null
  readonly close: () => void
}

export async function openCutover(
  { cutover, dialect, legacy, trustedProxies, maxBody }: Config,
  url: string,
  observe: Observe,
): Promise<Cutover> {
  const followed = cluster.isWorker ? await followDial() : null
  // A worker whose first process was started without CUTOVER_URL has a dial of its own.
  const control = followed === null ? openDial(cutover, observe) : null
  const link = followed ?? control?.dial
  if (link === undefined) throw new Error('there is no dial')
  const { headers, connections, timeout, by, fallback } = cutover
  const old = createOldSide({
    ...{ url, headers, connections, timeout, observe },
    trusted: trustedProxies,
    onChange: () => link.oldIsUp(old.isUp()),
  })
  const tally = createTally(link.answered)
  const divert = createDivert({
    share: link.share,
    placeOf: createPlaces(by.header, trustedProxies),
    toAnswer: createPassedAnswers(legacy, shownEvents(dialect)),
    ...{ old, fallback, maxBody, tally, observe },
  })
  const close = () => {
    tally.flush()
    control?.close()
    old.close()
  }
  return { divert, link, operations: control?.operations ?? null, close }
}
