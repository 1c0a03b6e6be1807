// What shows that a habit of the old service may be the reason why the gateway answers otherwise. A habit says
// which of them its setting may fix; `lookup replay` says which of them a difference shows.

/** Of the request: what the interface leaves to the service. Named as the gateway refuses it by default. */
export const wrongRequests = [
  'MissingParameter',
  'RepeatedParameter',
  'UnknownEvent',
  'UnknownMethod',
  'UnknownFormat',
  'MalformedIdentifier',
  'TooManyValues',
] as const

export const symptoms = [
  ...wrongRequests,
  // Right but for the case of letters.
  'other case',
  // Its list has commas or blanks, empty values, or one value twice.
  'other separator',
  'empty value',
  'repeated value',
  // With leading zeros, say.
  'other spelling of an id',
  'username',
  'no such path',
  // Of the answers, in all.
  'root element',
  'status of an error',
  'format of an error',
  'format of an error in XML',
  'nothing found',
  // One identifier that matches nothing makes an error of all.
  'all refused',
  // Of their entries.
  'identifier that matches nothing',
  'identifier that matches nothing in XML',
  'name of an entry',
  'name of an entry in XML',
  'order of users',
  'order of apps',
  // Of their fields.
  'field named after the service',
  'order of fields',
  'integer as text',
  'text as number',
  'boolean',
  'escaped text',
] as const
export type Symptom = (typeof symptoms)[number]
