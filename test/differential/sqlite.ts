import { DatabaseSync } from 'node:sqlite'
import { startGateway } from '../kit/gateway.ts'
import { compareSuite, type Service } from './compare.ts'
import type { Rows } from './rows.ts'

/**
 * Texts that no import lets in, but a view may show: halves of characters, what is no UTF-8 at all, and NUL.
 */
const texts = ['eda080', '61edb08062', 'f09f98', 'c328', 'c080', 'ff', '610062', '00', 'efbbbf61ff'].map(
  (hex) => Buffer.from(hex, 'hex'),
)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Writes such texts into an SQLite database. @returns the rows as they are now */
function spoil(path: string, { users, apps }: Rows): Rows {
  const database = new DatabaseSync(path)
  const spoilUser = database.prepare('UPDATE users SET display_name = CAST(? AS TEXT) WHERE id = ?')
  const spoilApp = database.prepare('UPDATE apps SET title = CAST(? AS TEXT) WHERE id = ?')
  const spoilt = { users: [...users], apps: [...apps] }
  for (const [at, text] of texts.entries()) {
    const [user, app] = [users[at], apps[at]]
    if (user === undefined || app === undefined) continue
    spoilUser.run(text, user.id)
    spoilApp.run(text, app.id)
    spoilt.users[at] = { ...user, displayName: decoder.decode(text) }
    spoilt.apps[at] = { ...app, title: decoder.decode(text) }
  }
  database.close()
  return spoilt
}

const start: Service['start'] = async (settings, files, made) => {
  const gateway = await startGateway(settings, files)
  return { ...gateway, rows: spoil(gateway.database.path, made) }
}

export const sqliteSuite = () =>
  compareSuite(
    [
      { name: 'SQLite, default settings', settings: {}, start },
      {
        name: 'SQLite, unknown values shown, other names',
        settings: {
          serviceName: 'Acme_2',
          chatMethod: 'talk-2',
          'missing.json': 'null',
          'missing.xml': '<Data Value="{value}"/>',
        },
        start,
      },
      {
        name: 'SQLite, nothing malformed, every status 200',
        settings: { 'read.malformed': 'unknown', 'errors.status': 200 },
        start,
      },
    ],
    [170, 67_000],
  )
