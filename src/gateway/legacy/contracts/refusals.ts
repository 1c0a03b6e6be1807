// One example of every refusal, for the contracts.

import { type FailureCode, LookupError } from '../../../errors.ts'
import { textFor } from '../../../paired-texts.ts'
import type { Dialect } from '../../../settings.ts'
import type { LegacyEvent } from '../events/event.ts'
import { formatNames } from '../formats/index.ts'
import { errorCodesIn } from '../habits/error-codes.ts'
import { errorStatusesIn } from '../habits/error-statuses.ts'
import { errorTextsIn } from '../habits/error-texts.ts'
import { separators } from '../habits/list.ts'
import { idForms } from '../habits/loose-ids.ts'
import { meantBy } from '../habits/other-event.ts'
import { nothingFound } from '../nothing-found.ts'

type Example = readonly [FailureCode, ...details: string[]]

/** The refusals that a dialect knows. */
export function exampleRefusals(events: readonly LegacyEvent[], dialect: Dialect): readonly LookupError[] {
  const made = ([code, ...details]: Example) => new LookupError(code, details)
  const { unknown, empty, unknownText } = dialect
  const isRefused = unknown === 'refuse' || empty === 'refuse'
  return [
    ...ofQueries(events, dialect).map(made),
    ...(isRefused ? [nothingFound(textFor('users', unknownText), '404')] : []),
    ...elsewhere.map(made),
  ]
}

function ofQueries([event, ...others]: readonly LegacyEvent[], dialect: Dialect): readonly Example[] {
  if (event === undefined) return []
  const { name, parameters } = event
  const lists = [event, ...others].flatMap((one) =>
    one.parameters.flatMap((parameter) => (parameter.list ? [parameter.name] : [])),
  )
  const [list = ''] = lists
  const events = [name, ...others.map((other) => other.name)].join(', ')
  const choices = parameters.flatMap((parameter): Example[] =>
    parameter.allowed === undefined
      ? []
      : [['UnknownMethod', parameter.name, wrongChoice(parameter.allowed), parameter.allowed.join(', ')]],
  )
  const [method] = choices
  const instead = method === undefined ? '' : `; for usernames, add ${method[1]}=username`
  const { anyCase, repeated, otherEvent, otherFormat, otherMethod, noValues, malformed } = dialect
  const isRefused = (value: string) => value === 'refuse' || value === 'refuse-empty'
  const noEvent: Example = anyCase.includes('events')
    ? ['UnknownEvent', 'NoSuchLookup', events, '']
    : ['UnknownEvent', name.toLowerCase(), events, ` (only the case differs from ${name}, and case matters)`]
  const missing: Example[] = [
    ...(noValues === 'empty' ? [] : lists.map((list) => missingList(list, dialect))),
    ...(isRefused(otherEvent)
      ? [['MissingParameter', 'Event', `It selects the lookup: ${events}.`] as const]
      : []),
  ]
  const isUnknownRefused = meantBy(otherEvent, 'unknown') === null
  return [
    ...missing.filter(([, name], at) => at === 0 || hasOwnWords(`Missing${name}`, dialect)),
    ...(isRefused(repeated) ? [['RepeatedParameter', list] as const] : []),
    ...(isUnknownRefused ? [noEvent] : []),
    ...(isRefused(otherMethod) ? choices : []),
    ...(isRefused(otherFormat) ? [['UnknownFormat', 'CSV', formatNames.join(', ')] as const] : []),
    ...(malformed === 'reject'
      ? [['MalformedIdentifier', 'ada', idForms[dialect.looseIds], instead] as const]
      : []),
    ...(isRefused(dialect.tooMany) ? [['TooManyValues', String(dialect.maxValues)] as const] : []),
    ['MalformedQuery'],
  ]
}

const missingList = (list: string, dialect: Dialect): Example => [
  'MissingParameter',
  list,
  `It holds one or more values, separated by ${separators[dialect.list]}.`,
]

/** Whether a setting says something of this kind of an error. */
function hasOwnWords(kind: string, { errorTexts, errorStatuses, errorCodes }: Dialect): boolean {
  return [errorTextsIn(errorTexts, 'users'), errorStatusesIn(errorStatuses), errorCodesIn(errorCodes)].some(
    (all) => all.has(kind),
  )
}

/** What happens around a query string, whatever it holds. */
const elsewhere: readonly Example[] = [
  ['MalformedHost'],
  ['MethodNotAllowed', 'GET, HEAD'],
  ['TooLongTarget', '65536'],
  ['TooManyRequests', '42', '6000'],
  ['Internal'],
  ['Overloaded'],
  ['Unavailable'],
]

function wrongChoice(allowed: readonly string[]): string {
  return ['email', 'phone', 'other'].find((value) => !allowed.includes(value)) ?? ''
}
