// Which settings of the dialect made an answer what it is.

import type { Dialect } from '../../settings.ts'
import type { Parameter } from './events/event.ts'
import { legacyEvents } from './events/index.ts'
import type { AppliedSetting, Explanation } from './explanation.ts'
import type { Outcome } from './habits/habit.ts'
import { type Effect, effectsOf } from './habits/index.ts'
import { idReader } from './habits/loose-ids.ts'

/** What came of a request. */
interface Explained
  extends Pick<Explanation, 'request' | 'answer' | 'error'>,
    Pick<Outcome, 'isCut' | 'areIds' | 'areUsernames' | 'names'> {}

export function appliedSettings(explained: Explained, dialect: Dialect): AppliedSetting[] {
  const { request, answer, error, areIds } = explained
  const readId = idReader(dialect)
  const outcome: Outcome = {
    list: listOf(request, dialect),
    isCut: explained.isCut,
    format: request.format,
    values: request.values,
    missing: answer.missing,
    entries: dialect.unknown === 'omit' || error !== null ? answer.found : request.values.length,
    namedFields: error === null ? fieldsNamedAfter(request.event, dialect) : [],
    choices: choicesOf(request, dialect),
    areIds,
    hasMalformed: areIds && request.values.some((value) => readId(value) === null),
    areUsernames: explained.areUsernames,
    names: explained.names,
    error,
  }
  return [...effectsOf(dialect, outcome), ...retiring(dialect)].map(([setting, value, effect]) => {
    return { setting, value, effect }
  })
}

/** The values of those parameters that allow for a few only. */
function choicesOf(request: Explanation['request'], dialect: Dialect): readonly string[] {
  return valuesOf(request, dialect, ({ allowed }) => allowed !== undefined)
}

function listOf(request: Explanation['request'], dialect: Dialect): string {
  return valuesOf(request, dialect, ({ list }) => list === true)[0] ?? ''
}

function valuesOf(
  { event, parameters }: Explanation['request'],
  dialect: Dialect,
  isMeant: (parameter: Parameter) => boolean,
): readonly string[] {
  const declared = legacyEvents(dialect).find(({ name }) => name === event)?.parameters ?? []
  const names = declared.filter(isMeant).map(({ name }) => name)
  return parameters.filter(({ name }) => names.includes(name)).map(({ value }) => value)
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
