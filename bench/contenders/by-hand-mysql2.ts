// The service without GraphQL over MySQL or MariaDB, written the obvious way: one query per request, by a prepared
// statement of mysql2's pool.

import { createServer } from 'node:http'
import { createPool, type RowDataPacket } from 'mysql2/promise'
import { answer, columns, isId, type Profile, profileOf, read } from './obvious.ts'
import { database, host, port } from './place.ts'

const pool = createPool({ uri: database, connectionLimit: 10 })

/** @returns `null` where something in the list is no identifier */
async function findProfiles(list: string): Promise<Record<string, Profile> | null> {
  const ids = list.split(':')
  if (!ids.every(isId)) return null
  const slots = ids.map(() => '?').join()
  const [rows] = await pool.execute<RowDataPacket[]>(
    `SELECT ${columns} FROM users WHERE id IN (${slots})`,
    ids,
  )
  const profiles = new Map(rows.map((row) => [String(row.id), profileOf(row)]))
  const found: Record<string, Profile> = {}
  for (const id of ids) {
    const profile = profiles.get(id)
    if (profile !== undefined) found[id] = profile
  }
  return found
}

const server = createServer(async (request, response) => {
  const asked = read(request)
  answer(response, asked, asked.users === null ? null : await findProfiles(asked.users))
})
server.listen(port, host)
