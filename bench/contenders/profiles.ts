// Looks up profiles without a thought about speed: a prepared statement, run once per value.

import type { SQLOutputValue } from 'node:sqlite'
import { openDatabase } from './place.ts'

const columns = 'id, username, display_name, rank, join_date, is_confirmed, banned'
const database = openDatabase()
const byId = database.prepare(`SELECT ${columns} FROM users WHERE id = ?`)
const byName = database.prepare(`SELECT ${columns} FROM users WHERE username_key = ?`)

export type Profile = ReturnType<typeof profileOf>

function profileOf(row: Readonly<Record<string, SQLOutputValue>>) {
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

/** @returns null if some value is not an id */
export function findProfiles(list: string, isByName: boolean): Record<string, Profile> | null {
  const found: Record<string, Profile> = {}
  for (const value of list.split(':')) {
    if (!isByName && !/^\d{1,15}$/.test(value)) return null
    const row = isByName ? byName.get(value.normalize('NFKC').toLowerCase()) : byId.get(Number(value))
    if (row !== undefined) found[value] = profileOf(row)
  }
  return found
}
