// The types of the schema: users and apps. A field of theirs is declared here, and in src/data.

import type { JoinDateUnit } from '../config/settings.ts'
import type { App } from '../data/apps.ts'
import type { User } from '../data/users.ts'
import { type Builder, DateTime } from './builder.ts'

export function addUser(builder: Builder, joinDateUnit: JoinDateUnit) {
  const ref = builder.objectRef<User>('User').implement({
    description: "A user's public profile.",
    fields: (t) =>
      ({
        id: t.exposeID('id', { description: 'Numeric identifier of the user in the service.' }),
        username: t.exposeString('username', {
          description: 'Account name of the user: 1 to 256 characters.',
        }),
        displayName: t.exposeString('displayName', {
          description: 'Display name of the user: up to 1,000 characters; may be empty.',
        }),
        rank: t.exposeInt('rank', {
          description:
            'Rank of the user, as a code of the service: users of one rank have the same number. The gateway does not know what a number means, nor whether a larger one is a higher rank; the operator of the service may.',
        }),
        joinDate: t.expose('joinDate', {
          type: 'SafeInt',
          description:
            'Time of joining, as an opaque integer: its unit and epoch are those of the service, and not specified. An operator who knows them sets JOIN_DATE_UNIT, which adds the field joinedAt.',
        }),
        isConfirmed: t.exposeBoolean('isConfirmed', { description: 'Whether the user is confirmed.' }),
        banned: t.exposeBoolean('banned', { description: 'Whether the user is banned.' }),
      }) satisfies Record<keyof User, unknown>,
  })
  if (joinDateUnit !== 'none') {
    const factor = joinDateUnit === 'seconds' ? 1000 : 1
    builder.addScalarType('DateTime', DateTime)
    builder.objectField(ref, 'joinedAt', (t) =>
      t.field({
        type: 'DateTime',
        nullable: true,
        description: 'Time of joining; null if joinDate is outside the years 0 to 9999.',
        resolve: ({ joinDate }) => dateTimeOf(joinDate * factor),
      }),
    )
  }
  return ref
}

/** RFC 3339 has years of four digits. */
function dateTimeOf(ms: number): string | null {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999 ? date.toISOString() : null
}

export function addApp(builder: Builder) {
  return builder.objectRef<App>('App').implement({
    description: 'A published application (release).',
    fields: (t) =>
      ({
        id: t.exposeID('id', { description: 'Numeric identifier of the application.' }),
        title: t.exposeString('title', { description: 'Name of the application: up to 1,000 characters.' }),
        version: t.exposeString('version', { description: 'Version of the release: major.minor.patch.' }),
        category: t.exposeInt('category', {
          description:
            'Category of the application, as a code of the service: applications of one category have the same number. The gateway has no names for the codes; the operator of the service may.',
        }),
        changelogLink: t.expose('changelogLink', {
          type: 'URL',
          description: 'Address of the changelog of the release.',
        }),
        downloadLink: t.expose('downloadLink', {
          type: 'URL',
          description:
            'Address of the download page. Its path ends in the numeric identifier of the application and a slash.',
        }),
      }) satisfies Record<keyof App, unknown>,
  })
}
