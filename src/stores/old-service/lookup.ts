// The lookups of an old service as a store: users by id, username and chat id, and apps. One call has many values;
// a response says which of the values were found.

import { type Clock, systemClock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import type { LookupError } from '../../errors.ts'
import { unescapeHtml } from '../../html-text.ts'
import type { Subject } from '../../legacy/dialect.ts'
import type { LookupMethod } from '../../model.ts'
import type { RowChecks } from '../rows.ts'
import { type Entry, type EntryKind, readEntries } from './answer.ts'
import { type Assign, assignById, createAssignChats } from './assign.ts'
import type { AskOldService } from './client.ts'
import { FaultyEntry, OldServiceError, StatusError } from './failure.ts'
import { isAppEntry, isUserEntry, readApp, readUser } from './fields.ts'
import { createHealth, type Health } from './health.ts'
import { createReadNumbers } from './number-texts.ts'
import {
  createRefusals,
  createUnknownEntries,
  MAX_REFUSAL_BYTES,
  type ReadRefusal,
  type Refusal,
} from './refusal.ts'
import { assignUsernames } from './spellings.ts'
import { SEPARATOR } from './values.ts'

export interface Lookup<Found> {
  /** Makes a call. @throws OldServiceError */
  readonly ask: (values: ReadonlySet<string>) => Promise<Answer<Found>>
  readonly health: Health
  /** Whether a call has one value, because entries of several values could not be told apart. */
  readonly isOneByOne: () => boolean
}

/** What the old service says about the values of a call. A value that is in neither was not found. */
export interface Answer<Found> {
  /** The row of each value; an error if the entry is unreadable, or if no response can carry it. */
  readonly found: ReadonlyMap<string, Found | OldServiceError | LookupError>
  /** Values of which the answer does not say whether they were found. */
  readonly unclear: ReadonlySet<string>
  /** The reason for `unclear`; null if only a spelling is in doubt. */
  readonly reason: OldServiceError | null
}

/** @throws OldServiceError where a field is missing or of a wrong type */
type Read<Found> = (value: string, entry: Entry) => Found | LookupError

/** Checks of a row before the gateway sends it. */
type Checks = Pick<RowChecks, 'checkUser' | 'checkApp'>

const unchecked: Checks = { checkUser: (user) => user, checkApp: (app) => app }

interface OldServiceLookups {
  readonly users: Readonly<Record<LookupMethod, Lookup<User>>>
  readonly apps: Lookup<App>
}

/** Users or apps: how their entries are read, and which responses mean that values match nothing. */
interface Kind extends EntryKind {
  readonly readRefusal: ReadRefusal
}

export function createLookups(
  { dialect }: Pick<OldServiceLocation, 'dialect'>,
  ask: AskOldService,
  { checkUser, checkApp } = unchecked,
  clock: Clock = systemClock,
): OldServiceLookups {
  const { serviceName, chatMethod } = dialect
  const readNumbers = createReadNumbers(dialect)
  const saying = {
    users: {
      readRefusal: createRefusals(dialect, 'users'),
      saysUnknown: createUnknownEntries(dialect, 'users', readNumbers),
    },
    apps: {
      readRefusal: createRefusals(dialect, 'apps'),
      saysUnknown: createUnknownEntries(dialect, 'apps', readNumbers),
    },
  }
  const readText = dialect.json.html === 'plain' ? undefined : unescapeHtml
  /** Asks for what the service has, or for its refusal. */
  async function askFor(question: string, values: ReadonlySet<string>, kind: Kind) {
    try {
      const body = await ask(question + [...values].map(encodeURIComponent).join(SEPARATOR))
      return kind.readRefusal(200, body, values) ?? readEntries(body, kind)
    } catch (error) {
      const refusal = error instanceof StatusError ? readRefusalOf(error, values, kind) : null
      if (refusal === null) throw error
      return refusal
    }
  }
  function readRefusalOf({ reply }: StatusError, values: ReadonlySet<string>, kind: Kind): Refusal | null {
    // It asks for patience, or sends a page: that says nothing of what it has.
    if (reply.headers['retry-after'] !== undefined || reply.body.length > MAX_REFUSAL_BYTES) return null
    return kind.readRefusal(reply.status, reply.body.toString(), values)
  }
  const lookup = <Found>(
    question: string,
    subject: Subject,
    assign: Assign,
    read: Read<Found>,
    isOneByOne = () => false,
  ): Lookup<Found> => {
    const isOne = subject === 'users' ? isUserEntry : isAppEntry
    const kind = { isOne, readText, readNumbers, ...saying[subject] }
    const health = createHealth((value) => askFor(question, new Set([value]), kind), clock)
    return {
      ask: async (values) => {
        const answer = await askFor(question, values, kind)
        if ('missing' in answer) {
          health.noteAnswer()
          const unclear = new Set([...values].filter((value) => !answer.missing.has(value)))
          return { found: new Map(), unclear, reason: new OldServiceError(REFUSAL, 'refused') }
        }
        const { entries, unclear, hasStrays } = assign(values, answer)
        const reason = hasStrays ? new OldServiceError(STRAYS) : null
        if (reason !== null && entries.size === 0) throw reason
        const [known] = [...entries].find(([, entry]) => !(entry instanceof Error)) ?? []
        health.noteAnswer(known)
        const found = [...entries].map(([value, entry]) => [value, readOne(read, value, entry)] as const)
        return { found: new Map(found), unclear, reason }
      },
      health,
      isOneByOne,
    }
  }
  const usersBy = (method: string, assign: Assign, read: Read<User>, isOneByOne?: () => boolean) =>
    lookup(
      `Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(method)}&Users=`,
      'users',
      assign,
      read,
      isOneByOne,
    )
  let namesOtherwise = dialect.entries.chats !== 'asked'
  const assignChats = createAssignChats(
    () => namesOtherwise,
    () => {
      namesOtherwise = true
    },
  )
  const readAnyUser = (_: string, entry: Entry) => checkUser(readUser(entry))
  return {
    users: {
      ID: usersBy('id', assignById, (id, entry) => checkUser(readUserWithId(id, entry))),
      USERNAME: usersBy('username', assignUsernames, readAnyUser),
      CHAT: usersBy(chatMethod, assignChats, readAnyUser, () => namesOtherwise),
    },
    apps: lookup('Event=AppLookup&Apps=', 'apps', assignById, (id, entry) =>
      checkApp(readApp(id, entry, serviceName)),
    ),
  }
}

const REFUSAL = 'the old service refuses lists that contain an unknown value'
const STRAYS = 'the old service answers with entries that were not asked for'

function readOne<Found>(
  read: Read<Found>,
  value: string,
  entry: Entry | FaultyEntry,
): Found | OldServiceError | LookupError {
  try {
    if (entry instanceof Error) throw entry
    return read(value, entry)
  } catch (error) {
    if (!(error instanceof FaultyEntry)) throw error
    const id = entry instanceof Error ? undefined : entry.Id
    return shownId.test(String(id)) ? error.of(String(id)) : shownId.test(value) ? error.of(value) : error
  }
}

/** What the log may show: nothing else than an id. */
const shownId = /^\d{1,16}$/

/** Another user than the one asked for would be a wrong answer. */
function readUserWithId(id: string, entry: Entry): User {
  const user = readUser(entry)
  if (user.id === Number(id)) return user
  throw new FaultyEntry('the old service answers with another user than was asked for', {
    field: 'Id',
    problem: `must be ${id}`,
    value: entry.Id,
  })
}
