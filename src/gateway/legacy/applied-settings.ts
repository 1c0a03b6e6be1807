// Which settings of the dialect, other than the default, had an effect on an answer.

import type { Dialect } from '../../settings.ts'
import { legacyEvents } from './events/index.ts'
import type { AppliedSetting, Explanation } from './explanation.ts'
import { errorFormats } from './formats/errors.ts'
import { formatFinder, formatNames } from './formats/index.ts'
import type { Outcome } from './habits/habit.ts'
import { type Effect, effectsOf } from './habits/index.ts'
import { isSortedIn } from './habits/json-flags.ts'
import { idReader } from './habits/loose-ids.ts'
import { isEmptyMethodId } from './habits/other-method.ts'
import type { RequestReader } from './request.ts'

/** What came of a request. */
interface Explained
  extends Pick<Explanation, 'request' | 'answer'>,
    Pick<Outcome, 'isList' | 'isCut' | 'areIds' | 'areUsernames' | 'names' | 'eventGiven' | 'error'> {}

export function appliedSettings(
  explained: Explained,
  dialect: Dialect,
  reader: RequestReader,
): AppliedSetting[] {
  const { request, answer, error, areIds } = explained
  const readId = idReader(dialect)
  const isSorted = isSortedIn(request.format, dialect.jsonFlags)
  const read = readParameters(request, dialect, reader)
  const { body: errorBody, contentType: errorType } = errorFormats(dialect)[request.format]
  const list = read.find(({ isList }) => isList)?.value ?? ''
  const outcome: Outcome = {
    list,
    isCut: explained.isCut,
    isList: explained.isList,
    format: request.format,
    eventGiven: explained.eventGiven,
    values: request.values,
    missing: answer.missing,
    isMissingSaidInXml: dialect.unknownXml !== null,
    areNamesSaidInXml: dialect.keysXml !== null,
    entries: dialect.unknown === 'omit' || error !== null ? answer.found : request.values.length,
    namedFields: error === null ? fieldsNamedAfter(request.event, dialect) : [],
    fields: error === null ? fieldsOf(request.event, dialect) : [],
    parameters: read,
    respelt: read.flatMap(({ respelt }) => respelt),
    choices: read.flatMap(({ choice }) => choice ?? []),
    isListMissing: error?.code === 'MissingParameter' && request.event !== null,
    areIds,
    hasMalformed:
      areIds && valuesGiven(request.values, list, dialect).some((value) => readId(value) === null),
    areUsernames: explained.areUsernames,
    names: explained.names,
    order: isSorted ? unordered : orderOf(request.event, dialect),
    error,
    errorBody,
    errorType,
  }
  // What sorts the names in JSON leaves nothing to these.
  const effective = isSorted ? { ...dialect, fields: [] } : dialect
  return [...effectsOf(effective, outcome), ...retiring(dialect)].map(([setting, value, effect]) => {
    return { setting, value, effect }
  })
}

/** Those that were dropped, too. */
function valuesGiven(values: readonly string[], list: string, { malformed }: Dialect): readonly string[] {
  return malformed === 'drop' ? list.split(/[:,]/).filter((value) => value !== '') : values
}

const unordered = { setting: 'LEGACY_ORDER', value: 'asked' } as const

function orderOf(event: string | null, dialect: Dialect): Outcome['order'] {
  return legacyEvents(dialect).find(({ name }) => name === event)?.order ?? unordered
}

/** The parameters that the event knows: what each is read as, and what its value is among those allowed. */
function readParameters(
  { event, parameters }: Explanation['request'],
  dialect: Dialect,
  { nameOf }: RequestReader,
) {
  const events = legacyEvents(dialect)
  const declared = events.find(({ name }) => name === event)?.parameters ?? []
  const allowed = new Map<string, readonly string[] | undefined>([
    ['Event', events.map(({ name }) => name)],
    ['Format', formatNames],
    ...declared.map((parameter) => [parameter.name, parameter.allowed] as const),
  ])
  const emptyIsDefault = isEmptyMethodId(dialect.otherMethod)
  // JSON is read in any case, where nothing but XML is asked for.
  const findFormat = formatFinder({ ...dialect, otherFormat: 'refuse' })
  return parameters
    .filter(({ known }) => known)
    .map(({ name: given, value }) => {
      const name = nameOf(given)
      const values = allowed.get(name)
      const meant =
        values?.find((one) => one === value) ??
        (isAnyCase(name, dialect)
          ? values?.find((one) => one.toLowerCase() === value.toLowerCase())
          : undefined)
      const isOther =
        name === 'Format' && dialect.otherFormat !== 'xml'
          ? findFormat(value) === null
          : values !== undefined && meant === undefined && (value !== '' || !emptyIsDefault)
      const texts = [[given, name] as const, ...(meant === undefined ? [] : [[value, meant] as const])]
      return {
        name,
        value,
        isList: declared.some((parameter) => parameter.name === name && parameter.list === true),
        isOther,
        respelt: texts
          .filter(([one, other]) => one !== other)
          .map(([one, other]) => ({ given: one, name: other })),
        choice: declared.some((parameter) => parameter.name === name) ? meant : undefined,
      }
    })
}

/** Whether the values of a parameter that allows for a few are read in any case. */
function isAnyCase(name: string, { anyCase }: Dialect): boolean {
  return anyCase.includes(name === 'Event' ? 'events' : name === 'Format' ? 'formats' : 'methods')
}

/** The fields that would have another name if the service had one. */
function fieldsNamedAfter(event: string | null, dialect: Dialect): readonly string[] {
  const others = fieldsOf(event, { ...dialect, serviceName: `${dialect.serviceName}Other` })
  return fieldsOf(event, dialect).filter((name) => !others.includes(name))
}

function fieldsOf(event: string | null, dialect: Dialect): readonly string[] {
  const declared = legacyEvents(dialect).find(({ name }) => name === event)
  return declared?.fields.map(({ name }) => name) ?? []
}

function* retiring({ deprecation, sunset, sunsetLink }: Dialect): Iterable<Effect> {
  if (deprecation !== null)
    yield ['LEGACY_DEPRECATION', deprecation.toISOString(), 'The header Deprecation says so.']
  if (sunset !== null) yield ['LEGACY_SUNSET', sunset.toISOString(), 'The header Sunset says so.']
  if (sunsetLink !== null) yield ['LEGACY_SUNSET_LINK', sunsetLink, 'The header Link names the page.']
}
