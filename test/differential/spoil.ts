import { DatabaseSync } from 'node:sqlite'
import type { Rows } from './rows.ts'

/**
 * Texts that no import lets in, but a view may show: halves of characters, what is no UTF-8 at all, and NUL.
 */
const texts = ['eda080', '61edb08062', 'f09f98', 'c328', 'c080', 'ff', '610062', '00', 'efbbbf61ff'].map(
  (hex) => Buffer.from(hex, 'hex'),
)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Writes such texts into an SQLite database. @returns the rows as they are now */
export function spoil(path: string, { users, apps }: Rows): Rows {
  const database = new DatabaseSync(path)
  const spoilUser = database.prepare('UPDATE users SET display_name = CAST(? AS TEXT) WHERE id = ?')
  const spoilApp = database.prepare('UPDATE apps SET title = CAST(? AS TEXT) WHERE id = ?')
  const spoilt = {
    users: users.map((user, index) => {
      const text = texts[index]
      if (text === undefined) return user
      spoilUser.run(text, user.id)
      return { ...user, displayName: decoder.decode(text) }
    }),
    apps: apps.map((app, index) => {
      const text = texts[index]
      if (text === undefined) return app
      spoilApp.run(text, app.id)
      return { ...app, title: decoder.decode(text) }
    }),
  }
  database.close()
  return spoilt
}
