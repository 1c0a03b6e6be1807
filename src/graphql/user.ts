import type { User as UserModel } from '../data/users.ts'
import { builder } from './builder.ts'

export const UserLookupMethod = builder.enumType('UserLookupMethod', {
  description: 'How the values of a user look-up are read.',
  values: {
    ID: { description: 'Numeric identifiers: digits only, up to 2^53-1. A malformed one matches nothing.' },
    USERNAME: { description: 'Usernames, in any case (compared after NFKC and lower case).' },
    CHAT: { description: 'Identifiers on the chat platform, compared exactly.' },
  } as const,
})

export const User = builder.objectRef<UserModel>('User').implement({
  description: "A user's public profile.",
  fields: (t) =>
    ({
      id: t.exposeID('id', { description: 'Numeric identifier of the user in the service.' }),
      username: t.exposeString('username', { description: 'Account name of the user.' }),
      displayName: t.exposeString('displayName', { description: 'Display name of the user; may be empty.' }),
      rank: t.exposeInt('rank', {
        description: 'Rank of the user; what the values mean is up to the service.',
      }),
      joinDate: t.expose('joinDate', {
        type: 'SafeInt',
        description:
          'Time of joining, as an opaque integer: its unit and epoch are those of the service, and not specified.',
      }),
      isConfirmed: t.exposeBoolean('isConfirmed', { description: 'Whether the user is confirmed.' }),
      banned: t.exposeBoolean('banned', { description: 'Whether the user is banned.' }),
    }) satisfies Record<keyof UserModel, unknown>,
})
