import { LookupError } from '../../errors.ts'
import { type LookupMethod, type User, usernameKey } from '../../model.ts'
import type { Observe } from '../../observe/observation.ts'
import type { OldServiceLocation } from '../../settings.ts'
import type { Store } from '../store.ts'
import { readApp, readEntries, readUser } from './answer.ts'
import { type AskOldService, createClient, OldServiceError } from './client.ts'

/** Characters of a query string: some old servers take no more than 8 KiB of address. */
const LONGEST = 6000

/**
 * An old service as the store: it is asked as its clients ask it, for many values at a time, and all it says is checked.
 * Usernames go as they were asked for, since only the old service knows which of them it takes for the same.
 */
export function openOldServiceStore(location: OldServiceLocation, observe: Observe): Store {
  const { connections, maxValues, serviceName } = location
  const ask = createClient(location)
  const methods: Readonly<Record<LookupMethod, string>> = {
    ID: 'id',
    USERNAME: 'username',
    CHAT: location.chatMethod,
  }

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OldServiceError)) throw error
      observe({ type: 'store-failed', error })
      throw new LookupError('Unavailable', [], error)
    }
  }

  async function find<Found>(
    question: string,
    values: readonly string[],
    same: (asked: string, named: string) => boolean,
    read: (value: string, entry: Readonly<Record<string, unknown>>) => Found,
  ): Promise<(Found | null)[]> {
    const asked = [...new Set(values.filter(canBeAsked))]
    const found = new Map<string, Found>()
    const askSome = async (some: readonly string[]) => {
      for (const [name, entry] of await askFor(ask, question, some)) {
        const meant = some.includes(name) ? [name] : some.filter((value) => same(value, name))
        if (meant.length === 0) throw new OldServiceError('the old service answers what nobody asked for')
        if (entry !== null) for (const value of meant) found.set(value, read(value, entry))
      }
    }
    const calls = apart(asked, same).flatMap((list) => portions(list, maxValues))
    await Promise.all(calls.map(askSome))
    return values.map((value) => found.get(value) ?? null)
  }

  return {
    findUsers: (by, values) =>
      guard(() => {
        const question = `Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(methods[by])}&Users=`
        const same = by === 'USERNAME' ? isSameUsername : never
        return find(question, values, same, (value, entry) => checked(by, value, readUser(entry)))
      }),
    findApps: (ids) =>
      guard(() => find('Event=AppLookup&Apps=', ids, never, (id, entry) => readApp(id, entry, serviceName))),
    foldsUsernames: true,
    capacity: () => connections,
    ready: () => guard(async () => void (await askFor(ask, 'Event=ProfileLookup&Users=', ['1']))),
    close: () => {},
  }
}

/** Some services name an entry as the username is stored, rather than as it was asked for. */
function isSameUsername(asked: string, named: string): boolean {
  return usernameKey(asked) === usernameKey(named)
}

const never = () => false

/**
 * Lists in which no two values may stand for the same user: a service that names an entry as the username is stored names it
 * once, and the other spelling would seem to be unknown.
 */
function apart(values: readonly string[], same: (asked: string, named: string) => boolean): string[][] {
  if (same === never) return [[...values]]
  const lists: { readonly values: string[]; readonly keys: Set<string> }[] = []
  for (const value of values) {
    const key = usernameKey(value)
    const free = lists.find(({ keys }) => !keys.has(key))
    if (free === undefined) lists.push({ values: [value], keys: new Set([key]) })
    else {
      free.values.push(value)
      free.keys.add(key)
    }
  }
  return lists.map((list) => list.values)
}

/** Half a character and NUL are in no query string that an old service reads as it was meant: they match nothing. */
function canBeAsked(value: string): boolean {
  return value !== '' && value.isWellFormed() && !value.includes('\0')
}

async function askFor(ask: AskOldService, question: string, values: readonly string[]) {
  return readEntries(await ask(question + values.map(encodeURIComponent).join(':')))
}

/** Somebody else under the id that was asked for would be a wrong answer. */
function checked(by: LookupMethod, value: string, user: User): User {
  if (by === 'ID' && user.id !== Number(value))
    throw new OldServiceError('the old service answers with another user than was asked for')
  return user
}

/** Values in lists of so many at most, and none too long for an address. */
function portions(values: readonly string[], most: number): string[][] {
  const lists: string[][] = []
  let list: string[] = []
  let length = 0
  for (const value of values) {
    const size = encodeURIComponent(value).length + 1
    if (list.length > 0 && (list.length === most || length + size > LONGEST)) {
      lists.push(list)
      list = []
      length = 0
    }
    list.push(value)
    length += size
  }
  if (list.length > 0) lists.push(list)
  return lists
}
