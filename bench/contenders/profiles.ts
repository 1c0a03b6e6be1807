// How profiles are looked up in SQLite without thinking about speed: one prepared statement, asked once per id.

import { columns, isId, type Profile, profileOf } from './obvious.ts'
import { openDatabase } from './place.ts'

const byId = openDatabase().prepare(`SELECT ${columns} FROM users WHERE id = ?`)

/** @returns `null` where something in the list is no identifier */
export function findProfiles(list: string): Record<string, Profile> | null {
  const answer: Record<string, Profile> = {}
  for (const id of list.split(':')) {
    if (!isId(id)) return null
    const row = byId.get(Number(id))
    if (row !== undefined) answer[id] = profileOf(row)
  }
  return answer
}
