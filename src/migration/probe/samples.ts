// Finds the users and apps for the probe: the operator names some, and the texts of others show how
// characters are written.

import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { NoResponse } from '../../stores/old-service/call.ts'
import { capitalised, shorten } from '../../text.ts'
import type { FieldMeaning } from '../compare/meaning.ts'
import { ProbeError, type ProbeOutcome, type SendQuery } from './client.ts'
import type { ListLimit } from './limit.ts'
import { apps as appsQuery, around, users as usersQuery } from './requests.ts'
import { meaningOfResponse, onlyFieldsOf } from './responses.ts'
import { appOf, appsIn, distinct, idsOf, type ProbeRows, userOf, usersIn, withoutEscapes } from './rows.ts'

/**
 * Looks up the users and apps that the operator named, each by itself.
 * @throws ProbeError if none of them exists
 */
export async function findNamed(
  send: SendQuery,
  named: { readonly users: readonly string[]; readonly apps: readonly string[] },
): Promise<ProbeRows> {
  async function find<Row>(
    what: 'users' | 'apps',
    queryFor: (id: string) => string,
    rowOf: (id: string, fields: readonly FieldMeaning[]) => Row,
  ): Promise<Row[]> {
    const rows: Row[] = []
    let reason: string | null = null
    for (const id of named[what]) {
      const outcome = await send(queryFor(id))
      const fields = onlyFieldsOf(outcome, id)
      if (fields !== null) rows.push(rowOf(id, fields))
      else reason ??= reasonOf(outcome, queryFor(id))
    }
    if (rows.length > 0 || named[what].length === 0) return rows
    const none = `It has none of the ${what} ${named[what].join(', ')}. Pass existing ids with --${what}.`
    throw new ProbeError(reason ?? none)
  }
  return { users: await find('users', usersQuery, namedUser), apps: await find('apps', appsQuery, appOf) }
}

/** Characters of a body in a message. */
const MAX_SHOWN_LENGTH = 120

/** Why a response has no entry; null if the service has no such row. */
function reasonOf(outcome: ProbeOutcome, query: string): string | null {
  if (outcome instanceof NoResponse) return `${capitalised(outcome.message)}.`
  if (outcome.status === 401 || outcome.status === 403)
    return `It responds with status ${outcome.status}. Add a login to the address (https://USER:PASSWORD@…) or a header with --header.`
  if (meaningOfResponse(outcome).kind !== 'unreadable') return null
  const start = shorten(outcome.body.toString('utf8', 0, 4 * MAX_SHOWN_LENGTH), MAX_SHOWN_LENGTH)
  return `Unexpected response to ${query}: status ${outcome.status}: ${start.replace(/\s+/g, ' ')}. Check the address.`
}

/** An entry whose id is not a number has the id of the request. */
function namedUser(idText: string, fields: readonly FieldMeaning[]): User {
  const [user, id] = [userOf(fields), Number.isSafeInteger(Number(idText)) ? Number(idText) : 0]
  if (user.id > 0 && id > 0 && user.id !== id)
    throw new ProbeError(
      `The response to a request for user ${id} is user ${user.id}: the service, or a cache in front of it, ignores the query. Check the address.`,
    )
  return { ...user, id: user.id > 0 ? user.id : id }
}

/** Each of these is written in its own way by some service. */
const features: readonly RegExp[] = [
  ...[/[\u0080-\u00ff]/, /[\u0100-\ud7ff\ue000-\uffff]/, /[\ud800-\udbff]/, /^$/, /'/, /"/, /&/, /[<>]/],
  ...[/\//, /&#/, /^\d+$/, /\s$/, /\]\]>/, /[\t\n\r]/, /=/, /[+`]/, /[\u2028\u2029]/],
]
/** Rows for each feature, and rows in all. */
const MAX_PER_FEATURE = 3
const MAX_ROWS = 60
/** Ids in a list around a known id, and ids that are requested one by one if lists have a limit. */
const NEIGHBOURS = 100
const MAX_SINGLE = 8

/** Adds rows with ids near the known ids. The lists for the limit have been sent already. */
export async function findSamples(
  send: SendQuery,
  named: ProbeRows,
  { most, outcomes }: Pick<ListLimit, 'most' | 'outcomes'>,
): Promise<ProbeRows> {
  const length = Math.min(most ?? NEIGHBOURS, NEIGHBOURS)
  async function near<Row>(
    first: string,
    queryFor: (...ids: string[]) => string,
    rowsIn: (outcome: ProbeOutcome) => Row[],
  ): Promise<Row[]> {
    const listed = length < MAX_SINGLE ? [] : rowsIn(await send(queryFor(...around(first, length))))
    if (listed.length > 0) return listed
    const found: Row[] = []
    for (const id of around(first, MAX_SINGLE)) found.push(...rowsIn(await send(queryFor(id))))
    return found
  }
  const listed = outcomes.flatMap(usersIn)
  const [user = ''] = idsOf(named.users)
  const users = distinct([
    ...named.users,
    ...(listed.length > 2 * MAX_SINGLE ? listed : await near(user, usersQuery, usersIn)),
  ])
  const [app] = idsOf(named.apps)
  const apps: App[] = app === undefined ? [] : await near(app, appsQuery, appsIn)
  return withoutEscapes({
    users: choose(users, named.users.length),
    apps: choose(distinct([...named.apps, ...apps]), named.apps.length),
  })
}

/** The first rows, then rows with special characters, then others. */
function choose<Row extends User | App>(rows: readonly Row[], first: number): Row[] {
  const textsOf = (row: Row) => Object.values(row).filter((value) => typeof value === 'string')
  const telling = features.flatMap((feature) =>
    rows.filter((row) => textsOf(row).some((text) => feature.test(text))).slice(0, MAX_PER_FEATURE),
  )
  return distinct([...rows.slice(0, first), ...telling, ...rows]).slice(0, MAX_ROWS)
}
