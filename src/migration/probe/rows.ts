// Rebuilds the rows of an old service from its responses.

import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { isEscapedHtml, unescapeHtml } from '../../html-text.ts'
import type { LookupSubject } from '../../legacy/dialect.ts'
import { type LookupMethod, usernameKey } from '../../model.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import type { Store } from '../../stores/store.ts'
import type { FieldMeaning } from '../compare/meaning.ts'
import { namesIn } from '../logs/legacy.ts'
import type { ProbeOutcome } from './client.ts'
import { foundIn } from './responses.ts'

export interface ProbeRows {
  readonly users: readonly (User & { readonly chatId?: string })[]
  readonly apps: readonly App[]
}

/** Reads fields of any type. An id that is not a number is 0. */
export function userOf(fields: readonly FieldMeaning[]): User {
  const text = textsOf(fields)
  return {
    id: numberOf(text('Id')),
    username: text('Username'),
    displayName: text('DisplayName'),
    rank: numberOf(text('Rank')),
    joinDate: numberOf(text('JoinDate')),
    isConfirmed: isTrue(text('IsConfirmed')),
    banned: isTrue(text('Banned')),
  }
}

export function appOf(id: string, fields: readonly FieldMeaning[]): App {
  const text = textsOf(fields)
  return {
    id: numberOf(id),
    title: text('Title'),
    version: text('Version'),
    category: numberOf(text('Category')),
    changelogLink: text('ChangelogLink'),
    downloadLink: fields.find(([name]) => name.endsWith('DownloadLink'))?.[1].text ?? '',
  }
}

function textsOf(fields: readonly FieldMeaning[]): (name: string) => string {
  const texts = new Map(fields.map(([name, { type, text }]) => [name, type === 'null' ? '' : text]))
  return (name) => texts.get(name) ?? ''
}

const numberOf = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : 0)
const isTrue = (text: string) => text === 'true' || text === '1'

/** The rows of a response to a lookup by id. Entries of apps are named by their ids. */
export function usersIn(outcome: ProbeOutcome): User[] {
  return [...foundIn(outcome).values()].map(userOf).filter(({ id }) => id > 0)
}

export function appsIn(outcome: ProbeOutcome): App[] {
  return [...foundIn(outcome)].map(([id, fields]) => appOf(id, fields)).filter(({ id }) => id > 0)
}

/** Whether a method is that of the chat platform. */
export const isChatMethod = (method: string) => !/^(?:id|username)?$/i.test(method)

/** The rows in responses to any requests. If several have the same id, the last one counts. */
export function rowsIn(
  responses: readonly (readonly [query: string, response: OldServiceResponse])[],
): ProbeRows {
  const users = new Map<number, ProbeRows['users'][number]>()
  const apps = new Map<number, App>()
  for (const [query, response] of responses) {
    const found = [...foundIn(response)]
    const hasUsers = found.some(([, fields]) => fields.some(([name]) => name === 'Id'))
    const isChat = isChatMethod(namesIn(query).method)
    for (const [name, fields] of hasUsers ? found : []) {
      const user = userOf(fields)
      users.set(user.id, { ...users.get(user.id), ...user, ...(isChat && { chatId: name }) })
    }
    for (const app of hasUsers ? [] : appsIn(response)) apps.set(app.id, app)
  }
  users.delete(0)
  return { users: [...users.values()], apps: [...apps.values()] }
}

/** Keeps each row once. */
export function distinct<Row extends { readonly id: number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** Undoes htmlspecialchars(), if the service has applied it to all texts. */
export function withoutEscapes(rows: ProbeRows): ProbeRows {
  const values: unknown[] = [...rows.users, ...rows.apps].flatMap((row) => Object.values(row))
  const texts = values.filter((value) => typeof value === 'string')
  if (!texts.every(isEscapedHtml) || !texts.some((text) => text.includes('&'))) return rows
  const read = (_: string, value: unknown) => (typeof value === 'string' ? unescapeHtml(value) : value)
  return JSON.parse(JSON.stringify(rows), read)
}

/**
 * JSON_NUMERIC_CHECK makes 7 of 007, and a charset makes ? of other letters: XML may show what the text was.
 * @param inXml a response with some of the users
 */
export function refineRows({ users, apps }: ProbeRows, inXml: ProbeOutcome | undefined): ProbeRows {
  const shown = new Map(inXml === undefined ? [] : usersIn(inXml).map((user) => [user.id, user]))
  const better = (text: string, other = text) =>
    text.includes('?') || (text !== '' && Number(text) === Number(other)) ? other : text
  return {
    apps,
    users: users.map((user) => ({
      ...user,
      username: better(user.username, shown.get(user.id)?.username),
      displayName: better(user.displayName, shown.get(user.id)?.displayName),
    })),
  }
}

/** A store that holds the rows. */
export function storeOf({ users, apps }: ProbeRows): Store {
  const findUser: Readonly<Record<LookupMethod, (value: string) => User | undefined>> = {
    ID: (value) => users.find(({ id }) => String(id) === value),
    USERNAME: (value) => users.find(({ username }) => usernameKey(username) === value),
    CHAT: (value) => users.find(({ chatId }) => chatId === value),
  }
  return {
    findUsers: (by, values) => values.map((value) => findUser[by](value) ?? null),
    findApps: (ids) => ids.map((wanted) => apps.find(({ id }) => String(id) === wanted) ?? null),
    ready: () => {},
    close: () => {},
  }
}

export const idsOf = (rows: ProbeRows[LookupSubject]) => rows.map(({ id }) => String(id))
