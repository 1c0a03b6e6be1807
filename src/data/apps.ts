// The apps, field by field.

import { id, int32, link, text, version } from './fields.ts'
import { defineRelation, type ReadRow, type RowOf } from './relation.ts'

const fields = {
  id: { sql: 'id', ...id },
  title: { sql: 'title', ...text },
  version: { sql: 'version', ...version },
  category: { sql: 'category', ...int32 },
  changelogLink: { sql: 'changelog_link', ...link },
  downloadLink: { sql: 'download_link', ...link },
} as const

/** A published release of an application (specification 2.2). */
export type App = RowOf<typeof fields>

/** Reads the row of a store. A value that no response can carry is undefined. */
export const readApp: ReadRow<App> = (row) => ({
  id: fields.id.read(row[0]),
  title: fields.title.read(row[1]),
  version: fields.version.read(row[2]),
  category: fields.category.read(row[3]),
  changelogLink: fields.changelogLink.read(row[4]),
  downloadLink: fields.downloadLink.read(row[5]),
})

/** Applications, as files and stores hold them. */
export const apps = defineRelation('apps', fields, {
  // Old clients read the identifier from the end of the path (specification 2.2), without parsing the URL: a
  // parser would turn `/7/.` into `/7/`.
  check: ([appId, , , , , downloadLink]) =>
    /^[^?#]*/.exec(String(downloadLink))?.[0].endsWith(`/${appId}/`)
      ? null
      : `downloadLink must end in the id and a slash: /${appId}/`,
  taken: { id: 'another app has this id' },
})
