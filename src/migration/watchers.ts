import type { Config } from '../config.ts'
import type { Watcher } from '../gateway/legacy/handler.ts'
import type { Observe } from '../observation.ts'
import { openLiveCensus } from './census/live/open.ts'
import { openShadow } from './shadow/open.ts'

/** What watches the legacy interface of a gateway, as it is set. */
export async function openWatchers(config: Config, observe: Observe): Promise<readonly Watcher[]> {
  const opened = await Promise.all([openShadow(config, observe), openLiveCensus(config, observe)])
  return opened.filter((watcher) => watcher !== null)
}
