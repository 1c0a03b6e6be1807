// What rows mean, in the order in which every store selects their columns. Views may have NULLs.

import type { App, User } from '../model.ts'

export const userColumns = 'id, username, display_name, rank, join_date, is_confirmed, banned'
export const appColumns = 'id, title, version, category, changelog_link, download_link'

/** A row as an array of columns; booleans may be 0 and 1. */
type Row = Readonly<Record<number, unknown>>

export function toUser(row: Row): User {
  return {
    id: Number(row[0]),
    username: String(row[1] ?? ''),
    displayName: String(row[2] ?? ''),
    rank: Number(row[3]),
    joinDate: Number(row[4]),
    isConfirmed: Boolean(row[5]),
    banned: Boolean(row[6]),
  }
}

export function toApp(row: Row): App {
  return {
    id: Number(row[0]),
    title: String(row[1] ?? ''),
    version: String(row[2] ?? ''),
    category: Number(row[3]),
    changelogLink: String(row[4] ?? ''),
    downloadLink: String(row[5] ?? ''),
  }
}
