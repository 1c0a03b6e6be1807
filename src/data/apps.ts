import { id, int32, link, text, version } from './kinds.ts'
import type { Relation } from './relation.ts'

/** Applications, as files and stores hold them. */
export const apps: Relation = {
  name: 'apps',
  columns: [
    { name: 'id', sql: 'id', ...id },
    { name: 'title', sql: 'title', ...text },
    { name: 'version', sql: 'version', ...version },
    { name: 'category', sql: 'category', ...int32 },
    { name: 'changelogLink', sql: 'changelog_link', ...link },
    { name: 'downloadLink', sql: 'download_link', ...link },
  ],
  // Old clients take the identifier from the end of the path (specification 2.2), and from the text as it stands:
  // what a URL parser makes of it (`/7/.` becomes `/7/`) does not count.
  check: ([id, , , , , downloadLink]) =>
    /^[^?#]*/.exec(String(downloadLink))?.[0].endsWith(`/${id}/`)
      ? null
      : `downloadLink must end in the id and a slash: /${id}/`,
  taken: { id: 'another app has this id' },
}
