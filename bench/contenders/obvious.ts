// What a good engineer writes without thinking about speed, whatever the database is.

import type { IncomingMessage, ServerResponse } from 'node:http'

export interface Profile {
  readonly Id: number
  readonly Username: string
  readonly DisplayName: string
  readonly Rank: number
  readonly JoinDate: number
  readonly IsConfirmed: boolean
  readonly Banned: boolean
}

export const columns = 'id, username, display_name, users.rank, join_date, is_confirmed, banned'

export function profileOf(row: Readonly<Record<string, unknown>>): Profile {
  return {
    Id: Number(row.id),
    Username: String(row.username),
    DisplayName: String(row.display_name),
    Rank: Number(row.rank),
    JoinDate: Number(row.join_date),
    IsConfirmed: row.is_confirmed === 1,
    Banned: row.banned === 1,
  }
}

export const isId = (text: string): boolean => /^\d{1,15}$/.test(text)

/** @returns `null` where it is no lookup */
export function usersOf(request: IncomingMessage): string | null {
  const parameters = new URLSearchParams(request.url?.split('?')[1])
  return parameters.get('Event') === 'ProfileLookup' ? parameters.get('Users') : null
}

/** @param profiles `null` where they cannot be looked up */
export function answer(response: ServerResponse, profiles: Readonly<Record<string, Profile>> | null): void {
  const body = JSON.stringify(
    profiles ?? { Error: { Code: 'BadRequest', Message: 'This cannot be looked up.' } },
  )
  response.writeHead(profiles === null ? 400 : 200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}
