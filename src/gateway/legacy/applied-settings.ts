// Which settings of the dialect made an answer what it is.

import { parseId } from '../../model.ts'
import type { Dialect } from '../../settings.ts'
import { legacyEvents } from './events/index.ts'
import type { AppliedSetting, Explanation } from './explanation.ts'

/** What came of a request. */
interface Outcome extends Pick<Explanation, 'request' | 'answer' | 'error'> {
  /** Whether its values are meant as numeric identifiers. */
  readonly areIds: boolean
}

type Applied = readonly [setting: string, value: string | number, effect: string]

export function appliedSettings(outcome: Outcome, dialect: Dialect): AppliedSetting[] {
  const applied = [
    ...naming(outcome, dialect),
    ...reading(outcome, dialect),
    ...answering(outcome, dialect),
    ...retiring(dialect),
  ]
  return applied.map(([setting, value, effect]) => ({ setting, value: String(value), effect }))
}

function* naming({ request, error }: Outcome, dialect: Dialect): Iterable<Applied> {
  const { serviceName, chatMethod } = dialect
  const named = error === null ? fieldsNamedAfter(request.event, dialect) : []
  const root = request.format === 'XML' ? [`the root element is ${serviceName}API`] : []
  const effects = [...root, ...named.map((name) => `a field is ${name}`)]
  if (effects.length > 0) yield ['LEGACY_SERVICE_NAME', serviceName, sentence(effects.join(', and '))]
  if (error === null && choicesOf(request, dialect).includes(chatMethod))
    yield ['LEGACY_CHAT_METHOD', chatMethod, 'This method means identifiers on the chat platform.']
}

/** The values of those parameters that allow for a few only. */
function choicesOf({ event, parameters }: Outcome['request'], dialect: Dialect): readonly string[] {
  const declared = legacyEvents(dialect).find(({ name }) => name === event)?.parameters ?? []
  const choices = declared.filter(({ allowed }) => allowed !== undefined).map(({ name }) => name)
  return parameters.filter(({ name }) => choices.includes(name)).map(({ value }) => value)
}

/** The fields that would have another name if the service had one. */
function fieldsNamedAfter(event: string | null, dialect: Dialect): readonly string[] {
  const fieldsIn = (spoken: Dialect) =>
    legacyEvents(spoken)
      .find(({ name }) => name === event)
      ?.fields.map(({ name }) => name) ?? []
  const others = fieldsIn({ ...dialect, serviceName: `${dialect.serviceName}Other` })
  return fieldsIn(dialect).filter((name) => !others.includes(name))
}

function* reading({ request, error, areIds }: Outcome, { malformed, maxValues }: Dialect): Iterable<Applied> {
  if (malformed === 'reject' && error?.code === 'MalformedIdentifier')
    yield ['LEGACY_MALFORMED', malformed, 'A malformed identifier is refused.']
  if (malformed === 'unknown' && areIds && request.values.some((value) => parseId(value) === null))
    yield ['LEGACY_MALFORMED', malformed, 'A malformed identifier matches nothing.']
  if (error?.code === 'TooManyValues')
    yield ['LEGACY_MAX_VALUES', maxValues, `More than ${maxValues} distinct values are refused.`]
}

function* answering(
  { answer, error }: Outcome,
  { unknown, errorStatus, maxAge }: Dialect,
): Iterable<Applied> {
  const missing = answer.missing.length
  if (missing > 0) {
    const what =
      missing === 1 ? 'The value that matches nothing is' : `The ${missing} values that match nothing are`
    const becomes = unknown === 'omit' ? 'left out' : 'null in JSON and an empty Data element in XML'
    yield ['LEGACY_UNKNOWN', unknown, `${what} ${becomes}.`]
  }
  if (error === null) yield ['LEGACY_MAX_AGE', maxAge, `Caches may keep the answer for ${maxAge} s.`]
  else if (errorStatus === '200')
    yield ['LEGACY_ERROR_STATUS', errorStatus, 'Errors are answered with status 200.']
  else yield ['LEGACY_ERROR_STATUS', errorStatus, 'Errors are answered with a status of their own.']
}

function* retiring({ deprecation, sunset, sunsetLink }: Dialect): Iterable<Applied> {
  if (deprecation !== null)
    yield ['LEGACY_DEPRECATION', deprecation.toISOString(), 'The header Deprecation says so.']
  if (sunset !== null) yield ['LEGACY_SUNSET', sunset.toISOString(), 'The header Sunset says so.']
  if (sunsetLink !== null) yield ['LEGACY_SUNSET_LINK', sunsetLink, 'The header Link names the page.']
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
