// Connects a cutover or a comparison to a running gateway. Other gateways load no more than this file.

import type { Companions, Operations } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { LegacyResponder } from '../http/routes.ts'
import type { CountsOf } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import type { Html } from '../pages/html.ts'

/** In a process that answers requests. */
export async function openCompanions(
  config: Config,
  observe: Observe,
  legacy: LegacyResponder,
): Promise<Companions> {
  const { cutover, shadow } = config
  const isCompared = shadow.url !== null && shadow.sample > 0
  if (cutover.url === null && !isCompared) return { divert: null, operations: null, close: async () => {} }
  const { openCutover, openShadow } = await import('./cutover/open.ts')
  return cutover.url === null
    ? openShadow(config, observe, legacy)
    : openCutover(config, cutover.url, observe, legacy)
}

/** In a process that has workers. */
export async function openOperations({ cutover }: Config, observe: Observe): Promise<Operations | null> {
  if (cutover.url === null) return null
  return (await import('./cutover/open.ts')).openDial(cutover, observe, true).operations
}

/** For the page for operators. */
export async function shadowSection(config: Config, counts: CountsOf): Promise<Html> {
  return (await import('./operator-sections.ts')).shadowSection(config, counts)
}
