// The table of events. A new event is one file and one row here.

import type { Dialect } from '../dialect.ts'
import { appLookup } from './app-lookup.ts'
import type { LegacyEvent } from './event.ts'
import { profileLookup } from './profile-lookup.ts'

export function legacyEvents(dialect: Dialect): readonly LegacyEvent[] {
  return [profileLookup(dialect), appLookup(dialect)]
}
