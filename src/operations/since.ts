// When the store and each database server entered their current state. Times are ISO 8601.

import type { Observation } from '../observe/events.ts'

export interface Readiness {
  /** Why lookups fail; null if they are answered. */
  readonly reason: string | null
  /** The time of the first check that had this result, and all checks since. */
  readonly since: string
}

export function watchReadiness(check: () => Promise<string | null>): () => Promise<Readiness> {
  let wasReady: boolean | null = null
  let since = ''
  return async () => {
    const reason = await check()
    if (wasReady !== (reason === null)) since = new Date().toISOString()
    wasReady = reason === null
    return { reason, since }
  }
}

export class ServerTimes {
  readonly #times = new Map<string, { readonly isUp: boolean; readonly since: string }>()

  note(observation: Observation): void {
    const { type } = observation
    if (type === 'reloaded') this.#times.clear()
    if (type === 'server-known' || type === 'server-back' || type === 'server-out')
      this.#times.set(observation.server, { isUp: type !== 'server-out', since: new Date().toISOString() })
  }

  of(server: string) {
    return this.#times.get(server)
  }
}
