// The requests that a probe sends: one list, in which each request shows one habit or a few.

import type { ErrorKind, Format } from '../../legacy/dialect.ts'
import { METHOD } from '../../legacy/events.ts'
import { MAX_NAME_LENGTH } from '../../model.ts'
import { idsOf, type ProbeRows } from './rows.ts'

export interface TestRequest {
  readonly title: string
  readonly query: string
}

/** The results of the first requests, from which the list is made. */
export interface ServiceData {
  /** Existing ids that the operator named; most requests have the first one. */
  readonly users: readonly string[]
  readonly apps: readonly string[]
  readonly rows: ProbeRows
  readonly chatMethod: string | null
  /** Values that a list may have. */
  readonly most: number
}

/** Ids, names and words that nothing has. */
export const UNKNOWN = '987654321'
export const UNKNOWN_TOO = '987654320'
const NOBODY = `Nobody é/"'&`
const MALFORMED = 'qwxz'
const NO_EVENT = 'NoSuchLookup'
export const NO_METHOD = 'nosuchmethod'
const NO_FORMAT = 'YAML'

const listOf = (values: readonly string[]) => values.map(encodeURIComponent).join(':')
export const users = (...values: string[]) => `Event=ProfileLookup&Users=${listOf(values)}`
export const apps = (...values: string[]) => `Event=AppLookup&Apps=${listOf(values)}`
export const by = (method: string, ...values: string[]) =>
  `Event=ProfileLookup&${METHOD}=${encodeURIComponent(method)}&Users=${listOf(values)}`
export const inFormat = (format: Format, query: string) => (format === 'xml' ? `${query}&Format=XML` : query)

/** Ids near a known id, whose rows show how texts are written. */
export function around(id: string, length: number): string[] {
  const first = Math.max(1, Number(id) - (length >> 1))
  return Array.from({ length }, (_, at) => String(first + at))
}

type RequestErrorKind = Exclude<ErrorKind, 'tooMany'>

/** A request for each kind of error, and the value that its response may repeat. */
export function errorRequests({
  users: [id = ''],
  apps: [app],
}: Pick<ServiceData, 'users' | 'apps'>): Record<
  RequestErrorKind,
  readonly [title: string, query: string, value: string]
> {
  const lists = app === undefined ? `Users=${id}` : `Users=${id}&Apps=${app}`
  return {
    noEvent: ['no event', lists, ''],
    emptyEvent: ['an empty event', `Event=&${lists}`, ''],
    otherEvent: ['an unknown event', `Event=${NO_EVENT}&${lists}`, NO_EVENT],
    otherFormat: ['an unknown format', `${users(id)}&Format=${NO_FORMAT}`, NO_FORMAT],
    emptyMethod: ['an empty method', by('', id), ''],
    otherMethod: ['an unknown method', by(NO_METHOD, id), NO_METHOD],
    noUsers: ['no list of users', 'Event=ProfileLookup', ''],
    emptyUsers: ['an empty list of users', 'Event=ProfileLookup&Users=', ''],
    blankUsers: ['a list of colons', users('', ''), ''],
    malformedUser: ['a word as a user id', users(MALFORMED), MALFORMED],
    missingUser: ['a known and an unknown user', users(id, UNKNOWN), UNKNOWN],
    repeated: ['the list parameter twice', `${users(id)}&Users=${UNKNOWN}`, ''],
    noApps: ['no list of apps', 'Event=AppLookup', ''],
    emptyApps: ['an empty list of apps', 'Event=AppLookup&Apps=', ''],
    blankApps: ['a list of colons for apps', apps('', ''), ''],
    malformedApp: ['a word as an app id', apps(MALFORMED), MALFORMED],
    missingApp: ['a known and an unknown app', apps(app ?? '', UNKNOWN), UNKNOWN],
  }
}

export const callbackRequest = (id: string) => `${users(id)}&callback=cb`

/** The query is null if it needs a row that the service does not have. */
type QueryTitle = readonly [title: string, query: string | null]

export const LIST_OF_USERS = 'a list of users'

/** Rows in one list; more of them would not fit in the address of some services. */
const MAX_LISTED = 100
const MAX_LISTED_NAMES = 40

/** @returns the most important requests first: the budget may end before the list */
export function requestsFor(known: ServiceData): TestRequest[] {
  const { users: named, apps: namedApps, rows, chatMethod, most } = known
  const [one = '', two = UNKNOWN_TOO] = named
  const [app = ''] = namedApps
  const method = chatMethod ?? ''
  const name = rows.users.find(({ id }) => String(id) === one)?.username ?? ''
  const names = rows.users
    .map(({ username }) => username)
    .filter((text) => text !== '' && !text.includes(':'))
  const plain = rows.users.map(({ username }) => withoutAccents(username))
  const accented = plain.find(
    (text, at) => text !== rows.users[at]?.username && text.length <= MAX_NAME_LENGTH,
  )
  const international = names.find((text) => otherCase(text) !== swapCase(text))
  const some = (ids: readonly string[], limit: number) => shuffle(ids.slice(0, Math.min(most, limit)))
  const chat = rows.users.find(({ chatId }) => chatId !== undefined)?.chatId
  const { otherFormat, ...errors } = errorRequests(known)
  const inBoth: QueryTitle[] = [
    ['a user', users(one)],
    ['an app', apps(app)],
    ['an unknown user', users(UNKNOWN)],
    ...Object.values(errors).map(([title, query]): QueryTitle => [title, query]),
    [LIST_OF_USERS, users(...some(idsOf(rows.users), MAX_LISTED))],
    ...piecesOf(idsOf(rows.users).slice(most), most).map(
      (ids): QueryTitle => [`users ${ids.join(', ')}`, users(...ids)],
    ),
    ['a known user among unknown users', users(UNKNOWN, one, UNKNOWN_TOO)],
    ['two unknown users', users(UNKNOWN, UNKNOWN_TOO)],
    ['users twice, and an empty value', users(two, one, two, '', one)],
    ['an id with a zero before it, in a list', users(`0${one}`, two)],
    ['an id with and without a zero before it', users(`0${one}`, one)],
    ['spaces around ids', users(` ${one} `, two)],
    ['a word among ids', users(one, MALFORMED)],
    ['a list of usernames', by('username', ...some(names, MAX_LISTED_NAMES))],
    ['an unknown username', by('username', NOBODY)],
    ['an unknown app', apps(UNKNOWN)],
    ['a known app among unknown apps', apps(UNKNOWN, app, UNKNOWN_TOO)],
    ['two unknown apps', apps(UNKNOWN, UNKNOWN_TOO)],
    ['a list of apps', apps(...some(idsOf(rows.apps), MAX_LISTED))],
    ['an unknown chat identifier', chatMethod === null ? null : by(method, NOBODY)],
    ['a chat identifier', chat === undefined ? null : by(method, chat)],
    ['an unknown event with special characters', `Event=${encodeURIComponent('No é/"&')}&Users=${one}`],
  ]
  const inOne: QueryTitle[] = [
    ['an unknown format', otherFormat[1]],
    ['an id with letters behind it', users(`${one}abc`)],
    ['an id with decimals', users(`${one}.0`)],
    ['the id 0', users('0')],
    ['an id beyond 31 bits', users('2222222222')],
    ['an id beyond 32 bits', users('4444444444')],
    ['an id beyond 53 bits', users('9999999999999999')],
    ['an id beyond 64 bits', users('99999999999999999999')],
    ['a negative id', users('-1')],
    ['commas between ids', users(`${one},${two}`)],
    ['an app id with a zero before it', apps(`0${app}`)],
    ['a username in another case', by('username', otherCase(name))],
    ['a username in two cases, in XML', inFormat('xml', by('username', name, otherCase(name)))],
    [
      'letters beyond ASCII in another case',
      international === undefined ? null : by('username', swapCase(international)),
    ],
    ['a username with a space behind it', by('username', `${name} `)],
    ['a username without its accents', accented === undefined ? null : by('username', accented)],
    ['a method in another case', by('Username', name)],
    ['the method id in another case', by('ID', one)],
    ['a username with an unknown method', by(NO_METHOD, name)],
    ['an event in another case', users(one).replace('ProfileLookup', 'profilelookup')],
    ['parameters in another case', users(one).replace('Event', 'event').replace('Users', 'users')],
    ...['JSON', 'json', 'xml', ''].map(
      (text): QueryTitle => [`Format=${text}`, `${users(one)}&Format=${text}`],
    ),
    ['a callback', callbackRequest(one)],
    ['the list parameter twice, the known id last', `${users(UNKNOWN)}&Users=${one}`],
  ]
  const all = inBoth.flatMap(([title, query]): QueryTitle[] => [
    [title, query],
    [`${title}, in XML`, query === null ? null : inFormat('xml', query)],
  ])
  const distinct = new Map([...all, ...inOne].map(([title, query]) => [query, title]))
  const isUsed = (query: string) => app !== '' || !query.startsWith('Event=AppLookup')
  return [...distinct].flatMap(([query, title]) =>
    query !== null && isUsed(query) ? [{ title, query }] : [],
  )
}

/** If lists are short, more lists follow, because rows show how characters are written. */
function piecesOf(ids: readonly string[], most: number): string[][] {
  const pieces = Math.min(MAX_PIECES, Math.ceil(ids.length / most))
  return Array.from({ length: pieces }, (_, at) => ids.slice(at * most, (at + 1) * most))
}

const MAX_PIECES = 4

function otherCase(text: string): string {
  return text.replace(/[a-z]/gi, swapCase)
}

/** Letters whose other case has another length, such as ß, stay. */
function swapCase(text: string): string {
  return Array.from(text, (letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
    const other = letter === lower ? upper : lower
    return other.length === letter.length ? other : letter
  }).join('')
}

const withoutAccents = (text: string) =>
  text.length > MAX_NAME_LENGTH ? text : text.normalize('NFD').replace(/\p{M}+/gu, '')

/**
 * An order that no service has by itself: among the first items each second one, then the others, reversed.
 */
function shuffle<T>(items: readonly T[]): T[] {
  const some = items.toReversed()
  return [...some.filter((_, at) => at % 2 === 1), ...some.filter((_, at) => at % 2 === 0)]
}
