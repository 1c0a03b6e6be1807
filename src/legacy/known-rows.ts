// The response of a dialect over rows in memory instead of a store: the rows that a probe has seen, or the
// rows of an example in the documentation.

import { LookupError } from '../errors.ts'
import { usernameKey } from '../model.ts'
import type { Format } from './dialect.ts'
import type { LegacyResponse } from './errors.ts'
import type { SchemaRow, SchemaRows } from './events.ts'
import type { Facade } from './facade.ts'
import type { LegacyRequest } from './request.ts'

export interface KnownRows {
  readonly users: readonly (SchemaRow & { readonly chatId?: string })[]
  readonly apps: readonly (SchemaRow & { readonly id: string | number })[]
}

/** Finds the rows of a request among known rows, as a store does. */
export function rowFinder({ users, apps }: KnownRows): (request: LegacyRequest) => SchemaRows {
  const byId = {
    users: new Map(users.map((row) => [String(row.id), row])),
    apps: new Map(apps.map((row) => [String(row.id), row])),
  }
  const byUsername = new Map(users.map((row) => [usernameKey(String(row.username)), row]))
  const byChat = new Map(users.map((row) => [row.chatId, row]))
  return ({ event, method, values, keys, isExcluded }) =>
    keys.map((key, at) => {
      if (key === null) return null
      const row: SchemaRow | undefined =
        method === 'ID'
          ? byId[event.subject].get(key)
          : method === 'USERNAME'
            ? byUsername.get(usernameKey(key))
            : byChat.get(key)
      return row === undefined || isExcluded?.(values[at] ?? '', row) ? null : row
    })
}

/** The response of a dialect to a query string. */
export function legacyResponseTo(
  facade: Facade,
  find: (request: LegacyRequest) => SchemaRows,
  query: string,
): LegacyResponse {
  let format: Format | null = null
  try {
    const request = facade.read(query)
    format = request.format
    return facade.write(request, find(request))
  } catch (error) {
    if (error instanceof LookupError) return facade.refuse(error, format ?? facade.readRefused(query).format)
    throw error
  }
}
