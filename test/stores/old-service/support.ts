import { readConfig } from '../../../src/config.ts'
import type { Observation } from '../../../src/observation.ts'
import { openOldServiceStore } from '../../../src/stores/old-service/store.ts'
import type { Item } from '../../../src/stores/store.ts'

/** A store over the old service at a URL, and what it observes. */
export function openOverOld(url: string, settings: Readonly<Record<string, string>> = {}) {
  const observations: Observation[] = []
  const { database } = readConfig({ flags: { DATABASE_URL: url, ...settings } })
  if (database.kind !== 'old-service') throw new Error(`${url} is not an old service`)
  const store = openOldServiceStore(database, (observation) => observations.push(observation))
  return { store, observations }
}

/** The values that a call asks for. */
export function valuesIn(target: string): string[] {
  const list = /[?&](?:Users|Apps)=([^&]*)/.exec(target)?.[1] ?? ''
  return list.split(':').map(decodeURIComponent)
}

/** Items as short as tests want them: an id, `null`, or the code of a failure. */
export function summaryOf(items: readonly Item<{ readonly id: number }>[]): (number | string | null)[] {
  return items.map((item) => {
    if (item instanceof Error) return 'code' in item ? String(item.code) : item.message
    return item?.id ?? null
  })
}
