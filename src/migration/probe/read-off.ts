// Reads values of the dialect from the responses, which the search could not guess: names, types, and texts
// of the service.

import { type Dialect, defaultDialect, type Format, type LookupSubject } from '../../legacy/dialect.ts'
import { type DialectPlace, differencesOf, places, valueAt, withValue } from '../../legacy/dialect-places.ts'
import { eventOf } from '../../legacy/events.ts'
import { decodeBody } from '../../legacy/text.ts'
import type { FieldMeaning } from '../compare/meaning.ts'
import { type ChangePrefixes, withoutChanges } from './changes.ts'
import type { ProbeOutcome } from './client.ts'
import type { ListLimit } from './limit.ts'
import { createRecorder, errorsOf, formats, missingIn } from './recorder.ts'
import { apps, callbackRequest, inFormat, type ServiceData, UNKNOWN, users } from './requests.ts'
import { foundIn, responseTo } from './responses.ts'

type OutcomesByQuery = ReadonlyMap<string, ProbeOutcome>

/** A value that a place of the dialect may have: the search decides. */
export type Alternative = readonly [path: readonly string[], value: unknown]

interface SearchStart {
  /** The search starts with the usual habits of PHP and the texts of the service. */
  readonly start: Dialect
  readonly alternatives: readonly Alternative[]
}

export function readOff(
  outcomes: OutcomesByQuery,
  known: ServiceData,
  changing: ChangePrefixes,
  limit: Pick<ListLimit, 'most' | 'example'>,
): SearchStart {
  const [one = ''] = known.users
  const [app] = known.apps
  const textOf = (query: string) => decodeBody(responseTo(outcomes, query)?.body ?? Buffer.alloc(0))
  const typeOf = (query: string, otherwise: string) =>
    responseTo(outcomes, query)?.headers['content-type'] ?? otherwise
  const [user, userInXml] = [textOf(users(one)), textOf(inFormat('xml', users(one)))]
  const fields = fieldsIn(outcomes, one, app)
  const rootInXml = /<([A-Za-z][^<>]*?)\s*\/?>/.exec(userInXml)?.[1] ?? null
  const serviceName = fields.serviceName ?? /^(\w*)API\b/.exec(rootInXml ?? '')?.[1] ?? 'Service'
  const { json, xml, read, errors } = defaultDialect
  const record = createRecorder(outcomes, known.rows, changing)
  const start: Dialect = {
    ...defaultDialect,
    serviceName,
    chatMethod: known.chatMethod ?? defaultDialect.chatMethod,
    fields: fields.names,
    read: { ...read, repeated: 'last', otherFormat: 'json', ids: 'exact', malformed: 'unknown' },
    json: {
      ...json,
      charset: charsetIn(typeOf(users(one), '')),
      type: typeOf(users(one), json.type),
      callback: callbackIn(
        withoutChanges(textOf(callbackRequest(one)), changing),
        withoutChanges(user, changing),
      ),
    },
    xml: {
      ...xml,
      charset: charsetIn(`${/^[^>]*>/.exec(userInXml)?.[0]} ${typeOf(inFormat('xml', users(one)), '')}`),
      type: typeOf(inFormat('xml', users(one)), xml.type),
      declaration: /<\?xml [^<>]*\?>/.exec(userInXml)?.[0] ?? '',
      root: rootInXml === null || rootInXml === `${serviceName}API` ? null : rootInXml,
    },
    errors: { ...errors, ...errorsOf(record, known, limit) },
  }
  const before = user.slice(0, Math.max(0, user.search(/[[{]/)))
  const beforeXml = userInXml.slice(0, Math.max(0, userInXml.indexOf('<')))
  const alternatives: Alternative[] = [
    ...(before === '' ? [] : [[['json', 'before'], before] as const]),
    ...(beforeXml === '' ? [] : [[['xml', 'before'], beforeXml] as const]),
  ]
  for (const [subject, queryOf, id = ''] of [
    ['users', users, one],
    ...(app === undefined ? [] : [['apps', apps, app] as const]),
  ] as const)
    for (const format of formats) {
      const alone = inFormat(format, queryOf(UNKNOWN))
      const beside = textOf(inFormat(format, queryOf(id, UNKNOWN)))
      const missing = missingIn(beside, format) ?? missingIn(textOf(alone), format)
      if (missing !== null) alternatives.push([['missing', subject, format], missing])
      const nothing = record(alone, UNKNOWN)
      if (nothing !== null) alternatives.push([['nothing', subject, format], nothing])
    }
  return {
    start: differencesOf(start, defaultDialect).reduce(allowedOnly, start),
    alternatives: alternatives.filter(isAllowed),
  }
}

/** Whether a file may hold a value. */
export const isAllowed = ([path, value]: Alternative) =>
  places.some((place) => place.path.join() === path.join() && place.isAllowed(value))

/** Resets a value that a dialect file may not hold, such as a Content-Type with other letters. */
function allowedOnly(dialect: Dialect, { path, isAllowed }: DialectPlace): Dialect {
  return isAllowed(valueAt(dialect, path)) ? dialect : withValue(dialect, path, valueAt(defaultDialect, path))
}

/** The charset that a header or a declaration names. */
function charsetIn(text: string): Dialect['json']['charset'] {
  const named = /\b(?:iso-8859-1|windows-1252)\b/i.exec(text)?.[0].toLowerCase()
  return named === 'windows-1252' || named === 'iso-8859-1' ? named : 'utf-8'
}

/** The fields of each kind of entry in their order, without those that the specification does not have. */
function fieldsIn(
  outcomes: OutcomesByQuery,
  user: string,
  app: string | undefined,
): { readonly names: Dialect['fields']; readonly serviceName: string | null } {
  let serviceName: string | null = null
  function readNames(subject: LookupSubject, format: Format, query: string): readonly string[] {
    const allowed = eventOf[subject].fields.map(({ name }) => name)
    const outcome = outcomes.get(inFormat(format, query))
    const [entry = []] = outcome === undefined ? [] : [...foundIn(outcome).values()]
    const { names, own } = namesOfFields(entry)
    serviceName ??= own
    const known = names.filter((name) => allowed.includes(name))
    return known.length === 0 ? defaultDialect.fields[subject][format] : known
  }
  const both = (subject: LookupSubject, query: string) => ({
    json: readNames(subject, 'json', query),
    xml: readNames(subject, 'xml', query),
  })
  const names = {
    users: both('users', users(user)),
    apps: app === undefined ? defaultDialect.fields.apps : both('apps', apps(app)),
  }
  return { names, serviceName }
}

/** The names of an entry's fields as the dialect has them, and the name of the service in one of them. */
export function namesOfFields(entry: readonly FieldMeaning[]) {
  const pattern = /^(.*)DownloadLink$/
  const names = entry.map(([name]) => name.replace(pattern, 'ServiceDownloadLink'))
  const [own = null] = entry.flatMap(([name]) => pattern.exec(name)?.[1] ?? [])
  return { names, own }
}

function callbackIn(text: string, plain: string): string | null {
  const bare = plain.slice(Math.max(0, plain.search(/[[{]/))).trimEnd()
  if (bare === '' || text === plain || !text.includes(bare)) return null
  return text.replace(bare, () => '{json}').replaceAll(/\bcb\b/g, '{callback}')
}
