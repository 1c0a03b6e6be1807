// The store over one or several database servers of one engine.

import type { ServersLocation } from '../../config/database.ts'
import type { User } from '../../data/users.ts'
import { LookupError } from '../../errors.ts'
import { type LookupMethod, MAX_NAME_LENGTH, usernameKey } from '../../model.ts'
import type { Observe } from '../../observe/events.ts'
import { createRowReaders } from '../rows.ts'
import type { Item, Store } from '../store.ts'
import { findByBisection } from './bisect.ts'
import { SilentTable } from './check.ts'
import type { Engine, ServerRow, StoreValue, TextLookup } from './driver.ts'
import { openServers } from './servers.ts'

type ReadItem<Found> = (row: ServerRow) => Item<Found>

/** @throws CommandError with a line for each server whose settings cannot be right */
export async function openServersStore(
  engine: Engine,
  location: ServersLocation,
  observe: Observe,
): Promise<Store> {
  const { errors, statements } = engine
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
      observe({ type: 'store-failed', error, count: 1 })
      throw new LookupError('Unavailable', [], error)
    }
  }

  /** @param describe names the row of a value for the log */
  function findAll<Found>(
    values: readonly string[],
    find: (values: readonly string[]) => Promise<Item<Found>[]>,
    describe: (value: string) => string,
  ): Promise<Item<Found>[]> {
    return guard(() =>
      findByBisection<Found>(errors, values, find, (failed, error) => {
        const [first = ''] = failed
        const row = failed.length > 1 ? `One of ${failed.length} rows` : describe(first)
        // After a colon or a quote, the message may have a value of the row.
        const [reason = ''] = /^[^:"']*/.exec(errors.reasonOf(error)) ?? []
        const failure = new Error(`${row} cannot be read: ${reason.trim()}.`)
        observe({ type: 'store-failed', error: failure, count: 1 })
        return new LookupError('Internal')
      }),
    )
  }

  function findIds<Found>(
    lookup: 'usersById' | 'appsById',
    ids: readonly string[],
    read: ReadItem<Found>,
  ): Promise<Item<Found>[]> {
    async function find(some: readonly string[]): Promise<Item<Found>[]> {
      // If the type of the column has changed since the start, its rows are refused, not missing.
      const found = itemsOf(await servers.run(statements[lookup](some)), read, Number)
      return some.map((id) => found.get(Number(id)) ?? null)
    }
    return findAll(ids, find, (id) => `The row with id ${id}`)
  }

  function findTexts(lookup: TextLookup, texts: readonly string[]): Promise<Item<User>[]> {
    async function find(some: readonly string[]): Promise<Item<User>[]> {
      // No database stores NUL or lone surrogates, so that such texts match nothing.
      const found = itemsOf(await findRows(lookup, some.filter(isText)), toUser)
      if (lookup === 'usersByUsername' && some.some((text) => !found.has(text))) addKeys(found)
      return some.map((text) => (isText(text) ? (found.get(text) ?? null) : null))
    }
    // The log must not have a username or a chat identifier.
    return findAll(texts, find, () => 'The row of a user')
  }

  async function findRows(lookup: TextLookup, texts: readonly string[]): Promise<readonly ServerRow[]> {
    try {
      return await servers.run(statements[lookup](texts))
    } catch (error) {
      if (statements.keepHeld === undefined || !errors.isUntranslatable(error)) throw error
      // By bisection, a thousand names that the column cannot hold would take two thousand statements.
      return servers.run(statements[lookup](await statements.keepHeld(servers.run, lookup, texts)))
    }
  }

  const users: Record<LookupMethod, (values: readonly string[]) => Promise<Item<User>[]>> = {
    ID: (ids) => findIds('usersById', ids, toUser),
    USERNAME: (keys) => findTexts('usersByUsername', keys),
    CHAT: (chatIds) => findTexts('usersByChat', chatIds),
  }

  async function requireReady(): Promise<void> {
    const lookups = [statements.usersById(['0']), statements.appsById(['0'])].map(servers.run)
    for (const outcome of await Promise.allSettled(lookups)) {
      // A lock on one table is no reason to send clients elsewhere: other gateways meet the same lock.
      if (outcome.status === 'rejected' && !(outcome.reason instanceof SilentTable)) throw outcome.reason
    }
    servers.requireColumns()
  }

  return {
    findUsers: (by, values) => users[by](values),
    findApps: (ids) => findIds('appsById', ids, toApp),
    countAfter: (name, id, most) =>
      guard(async () => {
        const [row] = await servers.run(statements.countAfter(name, id, most))
        return { count: Number(row?.[0]), last: Number(row?.[1] ?? id) }
      }),
    isEmpty: (name) => guard(async () => (await servers.run(statements.first(name))).length === 0),
    capacity: servers.capacity,
    ready: () => guard(requireReady),
    close: servers.close,
  }
}

function itemsOf<Found>(
  rows: readonly ServerRow[],
  read: ReadItem<Found>,
  keyOf: (value: StoreValue) => StoreValue = (value) => value,
): Map<StoreValue, Item<Found>> {
  const found = new Map<StoreValue, Item<Found>>()
  // A view may have a key twice, which a table cannot: one of the rows counts.
  for (const row of rows) found.set(keyOf(row.at(-1) ?? null), read(row))
  return found
}

/**
 * The key column of a view may hold the username itself, if its collation ignores case: such a row is found
 * by the key of its username. A longer text is no username: collations ignore any number of accents.
 */
function addKeys<Found>(found: Map<StoreValue, Found>): void {
  for (const [text, item] of [...found]) {
    if (typeof text !== 'string' || text.length > MAX_NAME_LENGTH) continue
    const key = usernameKey(text)
    if (!found.has(key)) found.set(key, item)
  }
}

const isText = (text: string) => !text.includes('\0') && text.isWellFormed()
