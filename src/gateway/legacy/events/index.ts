// The table of events. A new event is one file and one row here.

import type { Dialect } from '../../../settings.ts'
import { inOrder } from '../habits/fields.ts'
import { appLookup } from './app-lookup.ts'
import type { LegacyEvent } from './event.ts'
import { profileLookup } from './profile-lookup.ts'

export function legacyEvents(dialect: Dialect): readonly LegacyEvent[] {
  const events = [profileLookup(dialect), appLookup(dialect)]
  return events.map((event) => ({ ...event, fields: inOrder(event.fields, dialect.fields) }))
}
