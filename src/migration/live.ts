// What goes on beside the answers until an old service is left behind. Other gateways load nothing for it.

import type { Companions } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { CountsOf } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import type { Html } from '../pages/html.ts'
import type { Cutover } from './cutover/open.ts'
import { openShadow } from './shadow/open.ts'

/** In a process that answers requests. */
export async function openCompanions(config: Config, observe: Observe): Promise<Companions> {
  const cutover = await openCutover(config, observe)
  const shadow = await openShadow(config, observe, cutover?.link.compared ?? null)
  return {
    watchers: shadow === null ? [] : [shadow],
    divert: cutover?.divert ?? null,
    operations: cutover?.operations ?? null,
    close: async () => {
      cutover?.close()
      await shadow?.close()
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

/** Loaded when an operator opens the page. */
export async function shadowSection(config: Config, counts: CountsOf): Promise<Html> {
  return (await import('./operator-sections.ts')).shadowSection(config, counts)
}

async function openCutover(config: Config, observe: Observe): Promise<Cutover | null> {
  const { url } = config.cutover
  if (url === null) return null
  const { openCutover } = await import('./cutover/open.ts')
  return openCutover(config, url, observe)
}
