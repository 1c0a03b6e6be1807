import type { ShownEvent } from '../pages/explorer.ts'

/** The events' declarations, which the gateway puts into the page. */
export function readEvents(): readonly ShownEvent[] {
  return JSON.parse(document.getElementById('events')?.textContent ?? '[]')
}
