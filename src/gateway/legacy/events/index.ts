// The table of events. A new event is one file and one row here.

import type { Dialect } from '../../../settings.ts'
import { inOrder } from '../habits/fields.ts'
import { appLookup } from './app-lookup.ts'
import { booleansInXml, type LegacyEvent } from './event.ts'
import { profileLookup } from './profile-lookup.ts'

export function legacyEvents(dialect: Dialect): readonly LegacyEvent[] {
  const events = [profileLookup(dialect), appLookup(dialect)]
  return events.map((event) => ({ ...event, fields: inOrder(event.fields, dialect.fields) }))
}

/** The events for people to read: what is particular about a field in XML is said in a sentence. */
export function describedEvents(dialect: Dialect) {
  return legacyEvents(dialect).map(({ fields, ...event }) => ({
    ...event,
    fields: fields.map(({ xml, ...field }) =>
      xml === undefined ? field : { ...field, inXml: booleansInXml[xml] },
    ),
  }))
}
