import { parseInt32, parseLink, parsePositiveId, parseText, parseVersion } from './parsers.ts'
import type { Relation } from './relation.ts'

const link = { type: 'string', allowed: 'an absolute http or https URL', parse: parseLink } as const

/** Applications, as files and stores hold them. */
export const apps: Relation = {
  name: 'apps',
  columns: [
    {
      name: 'id',
      sql: 'id',
      type: 'integer',
      allowed: 'an integer from 1 to 2^53-1',
      parse: parsePositiveId,
    },
    { name: 'title', sql: 'title', type: 'string', allowed: 'valid Unicode text', parse: parseText },
    {
      name: 'version',
      sql: 'version',
      type: 'string',
      allowed: 'numbers in the form major.minor.patch',
      parse: parseVersion,
    },
    { name: 'category', sql: 'category', type: 'integer', allowed: 'a 32-bit integer', parse: parseInt32 },
    { name: 'changelogLink', sql: 'changelog_link', ...link },
    { name: 'downloadLink', sql: 'download_link', ...link },
  ],
  // Old clients take the identifier from the end of the path (specification 2.2).
  check: ([id, , , , , downloadLink]) =>
    new URL(String(downloadLink)).pathname.endsWith(`/${id}/`)
      ? null
      : `downloadLink must end in the id and a slash: /${id}/`,
  taken: { id: 'another app has this id' },
}
