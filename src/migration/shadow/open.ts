import type { Config } from '../../config/config.ts'
import { shownEvents } from '../../legacy/events.ts'
import type { Watcher } from '../../legacy/handler.ts'
import type { Observation, Observe, ShadowResult } from '../../observe/events.ts'

type Judge = (result: ShadowResult, count: number) => void

/**
 * Compares answers where SHADOW_URL and SHADOW_SAMPLE ask for it, or the guard of a cutover; other gateways
 * load nothing for it.
 * @param judge is told the results; `null` where there is no cutover
 */
export async function openShadow(
  { shadow, cutover, dialect }: Config,
  observe: Observe,
  judge: Judge | null,
): Promise<Watcher | null> {
  const isGuarded = judge !== null && cutover.guard !== 'off'
  const isShadowed = shadow.url !== null && shadow.sample > 0
  // Requests that the old service is spared, as many of them as may be compared.
  const compared = isShadowed || !isGuarded ? shadow : { ...cutover, sample: 1 }
  const { url, headers, sample } = compared
  if (url === null || sample === 0) return null
  const { createShadow } = await import('./shadow.ts')
  const tell = (observation: Observation) => {
    // A flood of dropped comparisons says nothing of either side, and must not become a flood of messages.
    if (observation.type === 'shadow-compared' && observation.result !== 'dropped')
      judge?.(observation.result, observation.count)
    observe(observation)
  }
  const shadowing = { url, headers, sample, noise: shadow.noise, comparesFailures: isGuarded }
  return createShadow(shadowing, shownEvents(dialect), isGuarded ? tell : observe)
}
