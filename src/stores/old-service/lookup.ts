// The lookups of an old service: users by id, username and chat identifier, and apps. One call has many
// values, and its response says which values were found.

import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../../clock.ts'
import type { OldServiceLocation } from '../../config/database.ts'
import type { App } from '../../data/apps.ts'
import type { User } from '../../data/users.ts'
import type { LookupError } from '../../errors.ts'
import type { LookupSubject } from '../../legacy/dialect.ts'
import type { LookupMethod } from '../../model.ts'
import type { RowChecks } from '../rows.ts'
import { type Assign, assignByChat, assignById, assignByUsername } from './assign.ts'
import { createCall, NoResponse, type OldServiceResponse } from './call.ts'
import { createReadEntries, type OldServiceEntry, readApp, readUser } from './entries.ts'
import { createReadRefusal, faultyEntry, OldServiceError, SEPARATOR, textOf } from './failure.ts'

/** Sends a query string. */
export type SendLookup = (query: string) => Promise<OldServiceResponse | NoResponse>

export function createSend(location: OldServiceLocation, clock?: Clock): SendLookup {
  const call = createCall(location, location, clock)
  return (query) =>
    call(query).catch((error: unknown) => {
      if (error instanceof NoResponse) return error
      throw error
    })
}

export interface OldServiceLookup<Row> {
  /** Makes a call. @throws OldServiceError */
  readonly call: (values: ReadonlySet<string>) => Promise<CallResult<Row>>
  /** Whether a usable response has come after this time of the clock. */
  readonly hasResponseSince: (time: number) => boolean
  /** Health check: looks up the last value that was found. Concurrent checks share the call. */
  readonly isHealthy: () => Promise<boolean>
  /** Values whose calls have timed out lately. Such a value gets a call of its own. */
  readonly silent: LRUCache<string, true>
  /**
   * Whether each value needs a call of its own, because a response does not say which entry is for which
   * value.
   */
  readonly isOneByOne: boolean
}

/** The outcome of a call. A value that is neither found nor unclear does not exist. */
export interface CallResult<Row> {
  /** The row of each value; an error if the entry is unreadable, or if no response can carry the row. */
  readonly found: ReadonlyMap<string, Row | Error>
  /** Values of which the response does not say if they were found. */
  readonly unclear: ReadonlySet<string>
  /** Why values are unclear; null if none is. */
  readonly reason: OldServiceError | null
}

/** Milliseconds. */
const SILENT_MS = 10_000

interface LookupOptions<Row> {
  readonly subject: LookupSubject
  /** The query string up to the values. */
  readonly query: string
  readonly assign: Assign
  /** @throws OldServiceError if a field is missing or has a wrong type */
  readonly read: (value: string, entry: OldServiceEntry) => Row | LookupError
  readonly isOneByOne?: boolean
}

export function createLookups(
  { dialect }: Pick<OldServiceLocation, 'dialect'>,
  send: SendLookup,
  { checkUser, checkApp }: RowChecks = { checkUser: (user) => user, checkApp: (app) => app },
  clock: Clock = systemClock,
): { readonly users: Record<LookupMethod, OldServiceLookup<User>>; readonly apps: OldServiceLookup<App> } {
  function createLookup<Row>(options: LookupOptions<Row>): OldServiceLookup<Row> {
    const { subject, query, assign, read, isOneByOne = false } = options
    const readRefusal = createReadRefusal(dialect, subject)
    const readEntries = createReadEntries(dialect, subject)
    // The value of health checks. "Not found" is a healthy response, too.
    let known = '1'
    let respondedAt = Number.NEGATIVE_INFINITY
    let checking: Promise<boolean> | null = null

    async function call(values: ReadonlySet<string>): Promise<CallResult<Row>> {
      const outcome = await send(query + [...values].map(encodeURIComponent).join(SEPARATOR))
      const missing = outcome instanceof NoResponse ? null : readRefusal(outcome, values)
      if (missing !== null) {
        respondedAt = clock.now()
        const unclear = new Set([...values].filter((value) => !missing.has(value)))
        return { found: new Map(), unclear, reason: unclear.size > 0 ? refusal : null }
      }
      const response = readEntries(textOf(outcome))
      const { entries, doubtful, hasStrays } = assign(values, response)
      if (hasStrays && entries.size === 0) throw strays
      respondedAt = clock.now()
      // An entry that is null says that its value was not found.
      const isUnclear = (value: string) => !entries.has(value) && response.get(value) !== null
      const unclear = new Set([...(hasStrays ? values : doubtful)].filter(isUnclear))
      for (const [value, entry] of entries) if (!(entry instanceof OldServiceError)) known = value
      const found = new Map([...entries].map(([value, entry]) => [value, readOne(value, entry)]))
      return { found, unclear, reason: unclear.size === 0 ? null : hasStrays ? strays : ambiguity }
    }

    function readOne(value: string, entry: OldServiceEntry | OldServiceError): Row | Error {
      try {
        if (entry instanceof OldServiceError) throw entry
        return read(value, entry)
      } catch (error) {
        if (!(error instanceof OldServiceError)) throw error
        // The log may have ids, and no other data of users.
        const { Id = null } = entry instanceof OldServiceError ? {} : entry
        const id = [String(Id), value].find((one) => /^\d{1,16}$/.test(one))
        if (id === undefined) return error
        return new OldServiceError(`${error.message} (id ${id})`, error.kind, undefined, error.fault)
      }
    }

    async function isHealthy(): Promise<boolean> {
      const failure = await call(new Set([known])).catch((error: unknown) => error)
      checking = null
      if (failure instanceof Error && !(failure instanceof OldServiceError)) throw failure
      return !(failure instanceof Error)
    }

    return {
      ...{ call, isOneByOne, silent: new LRUCache<string, true>({ max: 1_000, ttl: SILENT_MS }) },
      hasResponseSince: (time) => respondedAt > time,
      isHealthy: () => (checking ??= isHealthy()),
    }
  }

  const byMethod = (method: string) =>
    `Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(method)}&Users=`
  const users = {
    subject: 'users',
    read: (_: string, entry: OldServiceEntry) => checkUser(readUser(entry)),
  } as const
  const readById = (id: string, entry: OldServiceEntry) => checkUser(readUserWithId(id, entry))
  return {
    users: {
      ID: createLookup({ ...users, query: byMethod('id'), assign: assignById, read: readById }),
      USERNAME: createLookup({ ...users, query: byMethod('username'), assign: assignByUsername }),
      CHAT: createLookup({
        ...users,
        query: byMethod(dialect.chatMethod),
        assign: assignByChat,
        isOneByOne: dialect.entries.chats !== 'asked',
      }),
    },
    apps: createLookup({
      ...{ subject: 'apps', query: 'Event=AppLookup&Apps=', assign: assignById },
      read: (id, entry) => checkApp(readApp(id, entry, dialect.serviceName)),
    }),
  }
}

const refusal = new OldServiceError('the old service refuses lists that contain an unknown value', 'unclear')
const strays = new OldServiceError('the old service answers with entries that were not asked for')
const ambiguity = new OldServiceError('the answer does not say which values of the list exist', 'unclear')

/** A service may ignore the id, and return the same user for every id. */
function readUserWithId(id: string, entry: OldServiceEntry): User {
  const user = readUser(entry)
  if (user.id === Number(id)) return user
  throw faultyEntry('another user than was asked for', 'Id', entry.Id)
}
