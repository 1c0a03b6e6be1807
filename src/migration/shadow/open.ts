import type { Config } from '../../config.ts'
import { legacyEvents } from '../../gateway/legacy/events/index.ts'
import type { Watcher } from '../../gateway/legacy/handler.ts'
import type { Observe } from '../../observation.ts'

/** Compares answers where SHADOW_URL and SHADOW_SAMPLE ask for it; other gateways load nothing for it. */
export async function openShadow({ shadow, dialect }: Config, observe: Observe): Promise<Watcher | null> {
  const { url, headers, sample, noise } = shadow
  if (url === null || sample === 0) return null
  const { createShadow } = await import('./shadow.ts')
  return createShadow({ url, headers, sample, noise }, legacyEvents(dialect), observe)
}
