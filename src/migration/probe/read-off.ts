// Reads from the responses the values of the dialect that the search cannot guess: names, types, and texts of
// the service.

import {
  type Dialect,
  defaultDialect,
  type ErrorKind,
  type ErrorResponses,
  type Format,
} from '../../legacy/dialect.ts'
import { places, withValue } from '../../legacy/dialect-places.ts'
import { eventOf } from '../../legacy/events.ts'
import { decodeBody } from '../../legacy/text.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { type ChangePrefixes, withoutChanges } from './changes.ts'
import type { ProbeOutcome } from './client.ts'
import type { ListLimit } from './limit.ts'
import { createRecorder, missingIn, type RecordResponse, templateOf } from './recorder.ts'
import {
  apps,
  callbackRequest,
  errorRequests,
  inFormat,
  type ServiceData,
  UNKNOWN,
  users,
} from './requests.ts'
import { foundIn, meaningOfResponse, responseTo } from './responses.ts'

/** A value that a place of the dialect may have. */
export type DialectValue = readonly [path: readonly string[], value: unknown]

export interface SearchStart {
  /** The usual habits of PHP, and the texts of the service. */
  readonly start: Dialect
  /** Values that the search tries, because one response does not prove them. */
  readonly alternatives: readonly DialectValue[]
}

const formats = ['json', 'xml'] as const

type OutcomesByQuery = ReadonlyMap<string, ProbeOutcome>

export function readOff(
  outcomes: OutcomesByQuery,
  known: ServiceData,
  changing: ChangePrefixes,
  { most, example }: Pick<ListLimit, 'most' | 'example'>,
): SearchStart {
  const [one = ''] = known.users
  const [app] = known.apps
  const record = createRecorder(known.rows, changing)
  const responseIn = (format: Format, query: string) => responseTo(outcomes, inFormat(format, query))
  const textOf = (response: OldServiceResponse | null) =>
    response === null ? '' : withoutChanges(decodeBody(response.body), changing)
  const callback = callbackIn(
    textOf(responseTo(outcomes, callbackRequest(one))),
    textOf(responseIn('json', users(one))),
  )
  const tooMany = example === null ? {} : { tooMany: ['', example, String(most)] as const }
  const shown: DialectValue[] = [
    [['chatMethod'], known.chatMethod],
    [['json', 'callback'], callback],
    ...errorsOf(record, outcomes, { ...errorRequests(known), ...tooMany }),
  ]
  const alternatives: DialectValue[] = []
  for (const [subject, queryOf, id] of [['users', users, one] as const, ['apps', apps, app ?? ''] as const])
    for (const format of id === '' ? [] : formats) {
      shown.push(...shownBy(responseIn(format, queryOf(id))))
      const alone = responseIn(format, queryOf(UNKNOWN))
      const beside = textOf(responseIn(format, queryOf(id, UNKNOWN)))
      const missing = missingIn(beside, format, UNKNOWN) ?? missingIn(textOf(alone), format, UNKNOWN)
      alternatives.push([['missing', subject, format], missing])
      alternatives.push([['nothing', subject, format], record(alone, UNKNOWN)])
    }
  const { read } = defaultDialect
  const usual: Dialect = {
    ...defaultDialect,
    read: { ...read, repeated: 'last', otherFormat: 'json', ids: 'exact', malformed: 'unknown' },
  }
  const start = shown
    .filter(isAllowed)
    .reduce((dialect, [path, value]) => withValue(dialect, path, value), usual)
  const isDefaultRoot = start.xml.root === `${start.serviceName}API`
  return {
    start: isDefaultRoot ? { ...start, xml: { ...start.xml, root: null } } : start,
    alternatives: alternatives.filter(isAllowed),
  }
}

/** Whether the file LEGACY_DIALECT may have this value. A service may send a Content-Type that it may not. */
export const isAllowed = ([path, value]: DialectValue) =>
  places.some((place) => place.path.join() === path.join() && place.isAllowed(value))

/** The recorded errors of each kind, and a template for other errors. */
export function errorsOf(
  record: RecordResponse,
  outcomes: OutcomesByQuery,
  requests: Partial<Record<ErrorKind, readonly [title: string, query: string, value: string]>>,
): DialectValue[] {
  let replies: ErrorResponses = {}
  const values: DialectValue[] = []
  for (const [kind, [, query, value]] of Object.entries(requests))
    for (const format of formats) {
      const response = record(responseTo(outcomes, inFormat(format, query)), value)
      if (response === null) continue
      replies = withValue(replies, [kind, format], response)
      values.push([['errors', 'replies', kind, format], response])
    }
  return [
    ...values,
    ...formats.map((format): DialectValue => [['errors', 'other', format], templateOf(replies, format)]),
  ]
}

/** Values that one response with an entry proves. Not all of them are allowed in a file, see `isAllowed`. */
export function shownBy(response: OldServiceResponse | null): DialectValue[] {
  const meaning = response === null ? null : meaningOfResponse(response)
  const [entry] = response === null ? [] : foundIn(response).values()
  if (response === null || meaning?.kind !== 'entries' || entry === undefined) return []
  const subject = entry.some(([name]) => name === 'Id') ? 'users' : 'apps'
  const declared = eventOf[subject].fields.map(({ name }) => name)
  const fields = entry.map(([name]) => name.replace(/^.*DownloadLink$/, 'ServiceDownloadLink'))
  const [named] = entry.flatMap(([name]) => /^(.*)DownloadLink$/.exec(name)?.[1] ?? [])
  const text = decodeBody(response.body)
  const type = response.headers['content-type'] ?? ''
  const format = meaning.format === 'XML' ? 'xml' : 'json'
  const values: DialectValue[] = [
    [['serviceName'], named ?? /^(\w+)API$/.exec(meaning.root)?.[1] ?? null],
    [['fields', subject, format], fields.filter((name) => declared.includes(name))],
    [[format, 'type'], type],
  ]
  if (format === 'json') {
    const before = text.slice(0, text.search(/[[{]/))
    return [...values, [['json', 'charset'], charsetIn(type)], [['json', 'before'], before]]
  }
  return [
    ...values,
    [['xml', 'charset'], charsetIn(`${/^[^>]*>/.exec(text)?.[0]} ${type}`)],
    [['xml', 'before'], text.slice(0, text.indexOf('<'))],
    [['xml', 'declaration'], /<\?xml [^<>]*\?>/.exec(text)?.[0] ?? ''],
    [['xml', 'root'], /<([A-Za-z][^<>]*?)\s*\/?>/.exec(text)?.[1] ?? null],
  ]
}

/** The charset that a header or a declaration names. */
function charsetIn(text: string): Dialect['json']['charset'] {
  const named = /\b(?:iso-8859-1|windows-1252)\b/i.exec(text)?.[0].toLowerCase()
  return named === 'windows-1252' || named === 'iso-8859-1' ? named : 'utf-8'
}

function callbackIn(text: string, plain: string): string | null {
  const bare = plain.slice(Math.max(0, plain.search(/[[{]/))).trimEnd()
  if (bare === '' || text === plain || !text.includes(bare)) return null
  return text.replace(bare, () => '{json}').replaceAll(/\bcb\b/g, '{callback}')
}
