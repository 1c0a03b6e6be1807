// Connects a cutover or a shadow comparison to a running gateway. Other gateways load none of this code.

import type { Companions } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Divert, LegacyResponder } from '../http/routes.ts'
import { shownEvents } from '../legacy/events.ts'
import type { CountsOf } from '../observe/counts.ts'
import type { Observe } from '../observe/events.ts'
import type { Html } from '../pages/html.ts'
import type { ComparisonDirection } from './shadow/comparer.ts'

/** In a process that answers requests. */
export async function openCompanions(
  config: Config,
  observe: Observe,
  legacy: LegacyResponder,
): Promise<Companions> {
  const { cutover, shadow } = config
  const { url, headers, sample } = shadow
  const direction =
    url === null || sample === 0 ? null : { sample, service: { url, headers }, hasRequestPath: false }
  if (cutover.url === null) return openShadow(config, direction, observe, legacy)
  const { openCutover } = await import('./cutover/open.ts')
  return openCutover(config, cutover.url, direction, observe, legacy)
}

/** In a process that has workers. */
export async function openOperations(
  { cutover }: Config,
  observe: Observe,
): Promise<Companions['operations']> {
  if (cutover.url === null) return null
  const { openDial } = await import('./cutover/open.ts')
  return openDial(cutover, observe, true).operations
}

/** For the page for operators. */
export async function shadowSection(config: Config, counts: CountsOf): Promise<Html> {
  return (await import('./operator-sections.ts')).shadowSection(config, counts)
}

/** Compares a sample of the responses, without a cutover. */
async function openShadow(
  { shadow, dialect }: Config,
  direction: ComparisonDirection | null,
  observe: Observe,
  legacy: LegacyResponder,
): Promise<Companions> {
  if (direction === null) return { divert: null, operations: null, close: async () => {} }
  const { createComparer } = await import('./shadow/comparer.ts')
  const comparer = createComparer({
    shadow: direction,
    ...{ mirror: null, watch: null },
    ...{ noise: shadow.noise, legacy, events: shownEvents(dialect), observe },
  })
  const divert: Divert = {
    readBody: () => null,
    handle: (context, newSide) => {
      const made = newSide.answer()
      if (made instanceof Promise) void made.then((answer) => comparer.shadow(context, answer))
      else comparer.shadow(context, made)
      return made
    },
  }
  return { divert, operations: null, close: async () => comparer.close() }
}
