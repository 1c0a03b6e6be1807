import type { FailureCode } from '../../src/errors.ts'

/** The codes that the legacy interface may send by default. */
export const legacyFailures: readonly FailureCode[] = [
  ...(['MissingParameter', 'RepeatedParameter', 'UnknownEvent', 'UnknownMethod', 'UnknownFormat'] as const),
  ...(['MalformedIdentifier', 'TooManyValues', 'ResponseTooLarge', 'MalformedQuery'] as const),
  ...(['MalformedHost', 'MethodNotAllowed', 'TooLongTarget', 'TooManyRequests'] as const),
  ...(['Internal', 'Overloaded', 'Unavailable'] as const),
]
