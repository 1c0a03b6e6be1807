import type { ServersLocation } from '../../config/database.ts'
import type { User } from '../../data/users.ts'
import { LookupError } from '../../errors.ts'
import { type LookupMethod, MAX_NAME_LENGTH, usernameKey } from '../../model.ts'
import type { Observe } from '../../observe/events.ts'
import { createRowReaders } from '../rows.ts'
import type { Item, Store } from '../store.ts'
import { SilentTable } from './check.ts'
import type { Engine, Question, Row, TextLookup, Value } from './driver.ts'
import { openServers } from './servers.ts'
import { createTextSearch } from './texts.ts'

/** Queries that may be split, for one call of the store. To find one value among 1,000 takes ten. */
const MAX_SPLITS = 64

type FindUsers = (values: readonly string[]) => Promise<Item<User>[]>
type AskFor = (values: readonly string[]) => Question

/**
 * The store over one or several database servers.
 * @throws UnusableDatabase with a line for each server that cannot be used as it is set
 */
export async function openServersStore(
  engine: Engine,
  location: ServersLocation,
  observe: Observe,
): Promise<Store> {
  const { errors, questions } = engine
  const servers = openServers(engine, location, observe)
  const { toUser, toApp } = createRowReaders(observe)
  try {
    await servers.check()
  } catch (error) {
    await servers.close()
    throw error
  }

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (errors.isAboutData(error)) throw error
      observe({ type: 'store-failed', error, count: 1 })
      throw new LookupError('Unavailable', [], error)
    }
  }

  const findTexts = createTextSearch(servers.ask, engine)

  function itemsOf<Found>(
    rows: readonly Row[],
    read: (row: Row) => Item<Found>,
    keyOf: (value: Value) => Value = (value) => value,
  ): Map<Value, Item<Found>> {
    const found = new Map<Value, Item<Found>>()
    // A view may have a key twice, which a table cannot: one of the rows counts.
    for (const row of rows) found.set(keyOf(row.at(-1) ?? null), read(row))
    return found
  }

  /**
   * Finds values. If the database fails for one of them, such as for a number in a view that is out of range,
   * finds halves of the values, so that the others are found.
   */
  async function findInParts<Found>(
    values: readonly string[],
    find: (some: readonly string[]) => Promise<Item<Found>[]>,
    describe: (value: string) => string,
    budget = { splits: MAX_SPLITS },
  ): Promise<Item<Found>[]> {
    try {
      return await find(values)
    } catch (error) {
      if (!errors.isAboutData(error)) throw error
      const [first = ''] = values
      if (values.length > 1 && budget.splits-- > 0) {
        const middle = values.length >> 1
        const half = await findInParts(values.slice(0, middle), find, describe, budget)
        return [...half, ...(await findInParts(values.slice(middle), find, describe, budget))]
      }
      const row = values.length > 1 ? `One of ${values.length} rows` : describe(first)
      // Behind a colon or a quote, the message may have a value of the row.
      const [reason = ''] = /^[^:"']*/.exec(errors.reasonOf(error)) ?? []
      observe({
        type: 'store-failed',
        error: new Error(`${row} cannot be read: ${reason.trim()}.`),
        count: 1,
      })
      return values.map(() => new LookupError('Internal'))
    }
  }

  const byId = <Found>(askFor: AskFor, ids: readonly string[], read: (row: Row) => Item<Found>) =>
    guard(() =>
      findInParts(
        ids,
        (some) => findIds(askFor, some, read),
        (id) => `The row with id ${id}`,
      ),
    )

  async function findIds<Found>(askFor: AskFor, ids: readonly string[], read: (row: Row) => Item<Found>) {
    // A column that became another type after the start has no numbers: its rows are refused, not missing.
    const found = itemsOf(await servers.ask(askFor(ids)), read, Number)
    return ids.map((id) => found.get(Number(id)) ?? null)
  }

  // A username or a chat identifier must not be in the log.
  const byText = <Found>(lookup: TextLookup, texts: readonly string[], read: (row: Row) => Item<Found>) =>
    guard(() =>
      findInParts(
        texts,
        (some) => findByText(lookup, some, read),
        () => 'The row of a user',
      ),
    )

  async function findByText<Found>(
    lookup: TextLookup,
    texts: readonly string[],
    read: (row: Row) => Item<Found>,
  ): Promise<Item<Found>[]> {
    // No database has texts with NUL or half characters, so that these match nothing.
    const found = itemsOf(await findTexts(lookup, texts.filter(isText)), read)
    if (lookup === 'usersByUsername' && texts.some((text) => !found.has(text))) addKeys(found)
    return texts.map((text) => (isText(text) ? (found.get(text) ?? null) : null))
  }

  const users: Record<LookupMethod, FindUsers> = {
    ID: (ids) => byId(questions.usersById, ids, toUser),
    USERNAME: (keys) => byText('usersByUsername', keys, toUser),
    CHAT: (chatIds) => byText('usersByChat', chatIds, toUser),
  }

  return {
    findUsers: (by, values) => users[by](values),
    findApps: (ids) => byId(questions.appsById, ids, toApp),
    countAfter: (name, id, most) =>
      guard(async () => {
        const [row] = await servers.ask(questions.countAfter(name, id, most))
        return { count: Number(row?.[0]), last: Number(row?.[1] ?? id) }
      }),
    isEmpty: (name) => guard(async () => (await servers.ask(questions.first(name))).length === 0),
    capacity: servers.capacity,
    ready: () =>
      guard(async () => {
        const outcomes = await Promise.allSettled([
          servers.ask(questions.usersById(['0'])),
          servers.ask(questions.appsById(['0'])),
        ])
        for (const outcome of outcomes) {
          // While one table is locked, lookups of the other are answered. Other gateways meet the same lock.
          if (outcome.status === 'rejected' && !(outcome.reason instanceof SilentTable)) throw outcome.reason
        }
        servers.requireColumns()
      }),
    close: servers.close,
  }
}

/**
 * The key of a view may be the username as it is, in a column whose collation ignores case: such a row is
 * found by the key of what it has. A longer one is no username; collations ignore any number of accents.
 */
function addKeys<Found>(found: Map<Value, Found>): void {
  for (const [text, item] of [...found]) {
    if (typeof text !== 'string' || text.length > MAX_NAME_LENGTH) continue
    const key = usernameKey(text)
    if (!found.has(key)) found.set(key, item)
  }
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
