// Which settings of the dialect made an answer what it is.

import type { Dialect } from '../../settings.ts'
import { legacyEvents } from './events/index.ts'
import type { AppliedSetting, Explanation } from './explanation.ts'
import { type Effect, effectsOf } from './habits/index.ts'

/** What came of a request. */
interface Explained extends Pick<Explanation, 'request' | 'answer' | 'error'> {
  /** Whether its values are meant as numeric identifiers. */
  readonly areIds: boolean
}

export function appliedSettings(explained: Explained, dialect: Dialect): AppliedSetting[] {
  const { request, answer, error, areIds } = explained
  const outcome = {
    format: request.format,
    values: request.values,
    missing: answer.missing,
    entries: dialect.unknown === 'omit' || error !== null ? answer.found : request.values.length,
    namedFields: error === null ? fieldsNamedAfter(request.event, dialect) : [],
    choices: choicesOf(request, dialect),
    areIds,
    error,
  }
  return [...effectsOf(dialect, outcome), ...retiring(dialect)].map(([setting, value, effect]) => {
    return { setting, value, effect }
  })
}

/** The values of those parameters that allow for a few only. */
function choicesOf({ event, parameters }: Explanation['request'], dialect: Dialect): readonly string[] {
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

function* retiring({ deprecation, sunset, sunsetLink }: Dialect): Iterable<Effect> {
  if (deprecation !== null)
    yield ['LEGACY_DEPRECATION', deprecation.toISOString(), 'The header Deprecation says so.']
  if (sunset !== null) yield ['LEGACY_SUNSET', sunset.toISOString(), 'The header Sunset says so.']
  if (sunsetLink !== null) yield ['LEGACY_SUNSET_LINK', sunsetLink, 'The header Link names the page.']
}
