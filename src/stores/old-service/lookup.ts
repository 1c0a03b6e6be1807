// What an old service can be asked: for users by each method, and for apps.

import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import type { OldServiceLocation } from '../../database-location.ts'
import type { LookupError } from '../../errors.ts'
import type { LookupMethod } from '../../model.ts'
import type { RowChecks } from '../rows.ts'
import { type Entry, readEntries } from './answer.ts'
import type { AskOldService } from './client.ts'
import { OldServiceError } from './failure.ts'
import { isAppEntry, isUserEntry, readApp, readUser } from './fields.ts'
import { createHealth, type Health } from './health.ts'
import { type Assign, assignExact, assignUsernames } from './spellings.ts'
import { SEPARATOR } from './values.ts'

export interface Lookup<Found> {
  /** Makes a call. @throws OldServiceError */
  readonly ask: (values: ReadonlySet<string>) => Promise<Answer<Found>>
  readonly health: Health
}

/** What the old service says about the values of a call. A value that is in neither was not found. */
export interface Answer<Found> {
  /** With an error for an entry that cannot be read, or that no answer can carry. */
  readonly found: ReadonlyMap<string, Found | OldServiceError | LookupError>
  /** Values of which the answer does not say whether they were found. */
  readonly unclear: ReadonlySet<string>
}

/** @throws OldServiceError where a field is missing or of a wrong type */
type Read<Found> = (value: string, entry: Entry) => Found | LookupError

/** What becomes of a row that was read. */
export type Checks = Pick<RowChecks, 'checkUser' | 'checkApp'>

const unchecked: Checks = { checkUser: (user) => user, checkApp: (app) => app }

export interface OldServiceLookups {
  readonly users: Readonly<Record<LookupMethod, Lookup<User>>>
  readonly apps: Lookup<App>
}

export function createLookups(
  location: Pick<OldServiceLocation, 'serviceName' | 'chatMethod'>,
  ask: AskOldService,
  { checkUser, checkApp } = unchecked,
): OldServiceLookups {
  const lookup = <Found>(
    question: string,
    isOne: (entry: Entry) => boolean,
    assign: Assign,
    read: Read<Found>,
  ): Lookup<Found> => {
    const askFor = async (values: ReadonlySet<string>) =>
      readEntries(await ask(question + [...values].map(encodeURIComponent).join(SEPARATOR)), isOne)
    const health = createHealth((value) => askFor(new Set([value])))
    return {
      ask: async (values) => {
        const { entries, unclear } = assign(values, await askFor(values))
        const [known] = entries.keys()
        health.noteAnswer(known)
        const found = [...entries].map(([value, entry]) => [value, readOne(read, value, entry)] as const)
        return { found: new Map(found), unclear }
      },
      health,
    }
  }
  const usersBy = (method: string, assign: Assign, read: Read<User>) =>
    lookup(
      `Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(method)}&Users=`,
      isUserEntry,
      assign,
      read,
    )
  const readAnyUser = (_: string, entry: Entry) => checkUser(readUser(entry))
  return {
    users: {
      ID: usersBy('id', assignExact, (id, entry) => checkUser(readUserWithId(id, entry))),
      USERNAME: usersBy('username', assignUsernames, readAnyUser),
      CHAT: usersBy(location.chatMethod, assignExact, readAnyUser),
    },
    apps: lookup('Event=AppLookup&Apps=', isAppEntry, assignExact, (id, entry) =>
      checkApp(readApp(id, entry, location.serviceName)),
    ),
  }
}

function readOne<Found>(
  read: Read<Found>,
  value: string,
  entry: Entry,
): Found | OldServiceError | LookupError {
  try {
    return read(value, entry)
  } catch (error) {
    if (error instanceof OldServiceError) return error
    throw error
  }
}

/** Another user than the one asked for would be a wrong answer. */
function readUserWithId(id: string, entry: Entry): User {
  const user = readUser(entry)
  if (user.id === Number(id)) return user
  throw new OldServiceError('the old service answers with another user than was asked for')
}
