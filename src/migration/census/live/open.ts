import type { Config } from '../../../config.ts'
import { legacyEvents } from '../../../gateway/legacy/events/index.ts'
import type { Observe } from '../../../observation.ts'
import type { LiveCensus } from './live-census.ts'

/**
 * Counts clients where CENSUS_FILE asks for it; other gateways load nothing for it.
 * @throws UsageError where the file is another one; CommandError where the key that is set cannot be read
 */
export async function openLiveCensus(
  { census: { file, keyFile }, dialect, trustedProxies }: Config,
  observe: Observe,
): Promise<LiveCensus | null> {
  if (file === null) return null
  const { refuseStrangers } = await import('../census-file.ts')
  refuseStrangers(file)
  if (keyFile !== null) (await import('../key-file.ts')).readKey(keyFile)
  const { createLiveCensus } = await import('./live-census.ts')
  return createLiveCensus({ file, keyFile, trustedProxies, events: legacyEvents(dialect), observe })
}
