// Since when each database server is used or not, as this process sees it.

import type { Observation } from '../observation.ts'

export interface ServerTime {
  readonly isUp: boolean
  readonly since: Date
}

export interface ServerTimes {
  readonly note: (observation: Observation) => void
  readonly of: (server: string) => ServerTime | undefined
}

export function createServerTimes(): ServerTimes {
  const times = new Map<string, ServerTime>()
  return {
    note: (observation) => {
      if (observation.type === 'reloaded') times.clear()
      if (
        observation.type !== 'server-known' &&
        observation.type !== 'server-back' &&
        observation.type !== 'server-out'
      )
        return
      times.set(observation.server, { isUp: observation.type !== 'server-out', since: new Date() })
    },
    of: (server) => times.get(server),
  }
}
