// What goes on beside the answers until an old service is left behind. Other gateways load nothing for it.

import type { Companions } from '../app.ts'
import type { Config } from '../config.ts'
import type { Observe } from '../observation.ts'
import type { See } from './census/live/live-census.ts'
import { openLiveCensus } from './census/live/open.ts'
import type { Cutover } from './cutover/open.ts'
import type { Parts } from './operator-parts.ts'
import { openShadow } from './shadow/open.ts'

/** In a process that answers requests. */
export async function openCompanions(config: Config, observe: Observe): Promise<Companions> {
  const census = await openLiveCensus(config, observe)
  const cutover = await openCutover(config, observe, census?.see ?? null)
  const shadow = await openShadow(config, observe, cutover?.link.compared ?? null)
  const watchers = [shadow, census].filter((watcher) => watcher !== null)
  return {
    watchers,
    divert: cutover?.divert ?? null,
    operations: cutover?.operations ?? null,
    close: async () => {
      cutover?.close()
      await Promise.all(watchers.map(({ close }) => close()))
    },
  }
}

/** In a process that has others answer. */
export async function openOperations(
  { cutover }: Config,
  observe: Observe,
): Promise<Companions['operations']> {
  if (cutover.url === null) return null
  const { openDial } = await import('./cutover/open.ts')
  return openDial(cutover, observe).operations
}

/** In the process that has the admin port, when somebody looks. */
export async function openParts(): Promise<Parts> {
  return (await import('./operator-parts.ts')).createParts()
}

async function openCutover(config: Config, observe: Observe, see: See | null): Promise<Cutover | null> {
  const { url } = config.cutover
  if (url === null) return null
  const { openCutover } = await import('./cutover/open.ts')
  return openCutover(config, url, observe, see)
}
