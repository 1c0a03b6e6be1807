// The users and apps that a probe asks about: what the old service says of them, and a store that says the
// same.

import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import { questions } from '../../gateway/legacy/habits/questions.ts'
import { unescapeHtml } from '../../html-text.ts'
import { type LookupMethod, usernameKey } from '../../model.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import type { Store } from '../../stores/store.ts'
import type { Field } from '../answers/meaning.ts'
import { type Ask, CannotProbe, type Outcome } from './ask.ts'
import { describeOutcome, meaningOfOutcome, onlyFieldsOf } from './describe.ts'

export interface Known {
  /** One or two. */
  readonly users: readonly User[]
  readonly apps: readonly App[]
  /** Others, whose texts show how characters are written; none where no list may be asked for. */
  readonly samples: { readonly users: readonly User[]; readonly apps: readonly App[] }
  /** By chat identifier, where some were named and found. */
  readonly chats: ReadonlyMap<string, User>
}

/**
 * Asks for those that the operator has named as existing.
 * @throws CannotProbe where none of them is
 */
export async function findKnown(
  ask: Ask,
  named: { readonly users: readonly string[]; readonly apps: readonly string[] },
): Promise<Pick<Known, 'users' | 'apps'>> {
  const users = await findSome(ask, 'Event=ProfileLookup&Users=', named.users, 'users')
  const apps = named.apps.length === 0 ? [] : await findSome(ask, 'Event=AppLookup&Apps=', named.apps, 'apps')
  return {
    users: users.map(([id, fields]) => knownUser(id, fields)),
    apps: apps.map(([id, fields]) => appOf(id, fields)),
  }
}

async function findSome(ask: Ask, question: string, ids: readonly string[], what: 'users' | 'apps') {
  const found: (readonly [string, readonly Field[]])[] = []
  const statuses = new Set<number>()
  for (const id of ids) {
    const outcome = await ask(question + encodeURIComponent(id))
    const fields = onlyFieldsOf(outcome, id)
    if (!(outcome instanceof NoReply)) statuses.add(outcome.status)
    if (fields !== null) found.push([id, fields])
    else if (!isAnswer(outcome))
      throw new CannotProbe(
        `Unexpected response to ${question}${id}: ${describeOutcome(outcome, [id])}. Check the address.`,
      )
  }
  if (found.length > 0) return found
  const [status = 0, ...others] = statuses
  if (others.length === 0 && (status === 401 || status === 403))
    throw new CannotProbe(
      `It responds with status ${status}. Add a login to the address (https://USER:PASSWORD@…) or a header with --header.`,
    )
  throw new CannotProbe(`It has none of the ${what} ${ids.join(', ')}. Pass existing ids with --${what}.`)
}

/** A refusal may be how it says that there is no such user. */
function isAnswer(outcome: Outcome): boolean {
  const meaning = meaningOfOutcome(outcome)
  return meaning?.kind === 'entries' || (meaning?.kind === 'refusal' && meaning.status < 500)
}

/** Where an entry does not tell its id as a number, it has the one that was asked for. */
function knownUser(asked: string, fields: readonly Field[]): User {
  const [user, id] = [userOf(fields), numberOf(asked)]
  if (user.id > 0 && id > 0 && user.id !== id)
    throw new CannotProbe(
      `The response to a request for user ${id} is user ${user.id}: the service, or a cache in front of it, ignores the query. Check the address.`,
    )
  return { ...user, id: user.id > 0 ? user.id : id }
}

// Types may be any here: that they differ from the interface's is something that the probe will say.
export function userOf(fields: readonly Field[]): User {
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

export function appOf(id: string, fields: readonly Field[]): App {
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

function textsOf(fields: readonly Field[]): (name: string) => string {
  const texts = new Map(fields.map(([name, { text }]) => [name, text]))
  return (name) => texts.get(name) ?? ''
}

const numberOf = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : 0)
const isTrue = (text: string) => text === 'true' || text === '1'

/** A question for an event that there is not, with values for each that there is. */
export function unknownEventOf({ users: [user], apps: [app] }: Pick<Known, 'users' | 'apps'>): string {
  return questions.unknownEvent(String(user?.id ?? ''), app === undefined ? undefined : String(app.id))
}

/** The same, where the old service escapes all texts. */
export function withoutEscapes({ users, apps, samples, chats }: Known): Known {
  return {
    users: users.map(readTexts),
    apps: apps.map(readTexts),
    samples: { users: samples.users.map(readTexts), apps: samples.apps.map(readTexts) },
    chats: new Map([...chats].map(([chat, user]) => [chat, readTexts(user)])),
  }
}

function readTexts<Row extends User | App>(row: Row): Row {
  const read = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? unescapeHtml(value) : value,
  ]
  // The cast is for Object.entries, whose type forgets which keys there are.
  return Object.fromEntries(Object.entries(row).map((one) => read(one))) as Row
}

/** A store that holds what is known, for a gateway that is asked the same questions. */
export function knownStore({ samples, chats, ...known }: Known): Store {
  const users = [...known.users, ...samples.users]
  const apps = [...known.apps, ...samples.apps]
  const findUser: Readonly<Record<LookupMethod, (value: string) => User | undefined>> = {
    ID: (value) => users.find(({ id }) => String(id) === value),
    USERNAME: (value) => users.find(({ username }) => usernameKey(username) === value),
    CHAT: (value) => chats.get(value),
  }
  return {
    findUsers: (by, values) => values.map((value) => findUser[by](value) ?? null),
    findApps: (ids) => ids.map((wanted) => apps.find(({ id }) => String(id) === wanted) ?? null),
    ready: () => {},
    close: () => {},
  }
}

export function idsOf(rows: readonly { readonly id: number }[]): string[] {
  return rows.map(({ id }) => String(id))
}
