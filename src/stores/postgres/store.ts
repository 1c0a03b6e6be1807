import type { User } from '../../data/users.ts'
import { LookupError } from '../../errors.ts'
import type { LookupMethod } from '../../model.ts'
import type { Observe } from '../../observation.ts'
import type { PostgresLocation } from '../../settings.ts'
import { createRowReaders } from '../rows.ts'
import type { Item, Store } from '../store.ts'
import type { Value } from './connection.ts'
import { isAboutData, isUntranslatable } from './errors.ts'
import type { Row } from './pool.ts'
import { openServers } from './servers.ts'
import { askById, askByText, type Question, type Statement, slices, statements } from './statements.ts'

/**
 * The store over PostgreSQL, or what speaks its protocol. The relations may be tables or views
 * (schema/postgres.sql).
 * @throws UnusableDatabase with a line for each server that cannot be used as it is set
 */
export async function openPostgresStore(location: PostgresLocation, observe: Observe): Promise<Store> {
  const servers = openServers(location, observe)
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
      if (isAboutData(error)) throw error
      observe({ type: 'store-failed', error, count: 1 })
      throw new LookupError('Unavailable', [], error)
    }
  }

  async function find<Found>(
    question: Question,
    read: (row: Row) => Item<Found>,
  ): Promise<Map<Value, Item<Found>>> {
    const found = new Map<Value, Item<Found>>()
    // A view may have a key twice, which a table cannot: one of the rows counts.
    for (const row of await servers.ask(question)) found.set(row.at(-1) ?? null, read(row))
    return found
  }

  /**
   * A database that is not in UTF-8 refuses texts that it cannot hold: they match nothing, and are found by
   * halves.
   */
  async function findTexts<Found>(
    statement: Statement,
    texts: readonly string[],
    read: (row: Row) => Item<Found>,
  ): Promise<Map<Value, Item<Found>>> {
    try {
      return await find(askByText(statement, texts), read)
    } catch (error) {
      if (!isUntranslatable(error)) throw error
      if (texts.length === 1) return new Map()
      const middle = texts.length >> 1
      const first = await findTexts(statement, texts.slice(0, middle), read)
      return new Map([...first, ...(await findTexts(statement, texts.slice(middle), read))])
    }
  }

  const byId = <Found>(statement: Statement, ids: readonly string[], read: (row: Row) => Item<Found>) =>
    guard(async () => {
      const found = await find(askById(statement, ids), read)
      return ids.map((id) => found.get(Number(id)) ?? null)
    })

  const byText = <Found>(statement: Statement, texts: readonly string[], read: (row: Row) => Item<Found>) =>
    guard(async () => {
      // PostgreSQL's texts hold no NUL and no half characters, so that these match nothing.
      const found = await findTexts(statement, texts.filter(isText), read)
      return texts.map((text) => (isText(text) ? (found.get(text) ?? null) : null))
    })

  const users: Record<LookupMethod, (values: readonly string[]) => Promise<Item<User>[]>> = {
    ID: (ids) => byId(statements.usersById, ids, toUser),
    USERNAME: (keys) => byText(statements.usersByUsername, keys, toUser),
    CHAT: (chatIds) => byText(statements.usersByChat, chatIds, toUser),
  }

  return {
    findUsers: (by, values) => users[by](values),
    findApps: (ids) => byId(statements.appsById, ids, toApp),
    countAfter: (name, id, most) =>
      guard(async () => {
        const [row] = await servers.ask({ ...slices[name], values: [String(id), String(most)] })
        return { count: Number(row?.[0]), last: Number(row?.[1] ?? id) }
      }),
    capacity: servers.capacity,
    ready: () =>
      guard(async () => {
        await Promise.all([
          servers.ask(askById(statements.usersById, ['0'])),
          servers.ask(askById(statements.appsById, ['0'])),
        ])
      }),
    close: servers.close,
  }
}

function isText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
