// The schema: the root fields, and what their types' files add. Root fields are nullable, so that one of them
// may fail without the others.

import { GraphQLSchema } from 'graphql'
import type { JoinDateUnit } from '../config/settings.ts'
import type { Item } from '../lookups/lookups.ts'
import { createBuilder } from './builder.ts'
import { addApp, addUser } from './types.ts'

const valuesLimit =
  'Up to 1,000 values in a request, over all its fields, unless the operator has set another LEGACY_MAX_VALUES.'

/** @param joinDateUnit any but `none` adds `User.joinedAt` */
export function createSchema(joinDateUnit: JoinDateUnit): GraphQLSchema {
  const builder = createBuilder()
  const UserLookupMethod = builder.enumType('UserLookupMethod', {
    description: 'How the values of a user lookup are read.',
    values: {
      ID: { description: 'Numeric identifiers: digits only, up to 2^53-1. A malformed one matches nothing.' },
      USERNAME: { description: 'Usernames, in any case (compared after NFKC and lower case).' },
      CHAT: { description: 'Identifiers on the chat platform, compared exactly.' },
    } as const,
  })
  // User before App: the published schema has the types in this order.
  const User = addUser(builder, joinDateUnit)
  const App = addApp(builder)
  const by = { type: UserLookupMethod, required: true, defaultValue: 'ID' } as const

  builder.queryType({
    description: 'Lookups of users and of published applications. There is nothing to write.',
    fields: (t) => ({
      users: t.field({
        type: [User],
        nullable: { list: true, items: true },
        description:
          'Users by id, username or chat identifier: one item per value, in order; null if nothing matches.',
        args: {
          by: t.arg({ ...by, description: 'How the values are read.' }),
          values: t.arg.idList({
            required: true,
            description: `The values to look up, as strings or integers. ${valuesLimit}`,
          }),
        },
        extensions: { cost: { list: 'values' } },
        resolve: (_root, { by, values }, { lookups, caller }) =>
          listOf(lookups.findUsers(by, values, caller)),
      }),
      apps: t.field({
        type: [App],
        nullable: { list: true, items: true },
        description: 'Applications by id: one item per id, in order; null if nothing matches.',
        args: {
          ids: t.arg.idList({
            required: true,
            description: `The numeric identifiers to look up, as strings or integers. ${valuesLimit}`,
          }),
        },
        extensions: { cost: { list: 'ids' } },
        resolve: (_root, { ids }, { lookups, caller }) => listOf(lookups.findApps(ids, caller)),
      }),
      user: t.field({
        type: User,
        nullable: true,
        description: 'A user by id, username or chat identifier; null if nothing matches.',
        args: {
          by: t.arg({ ...by, description: 'How the value is read.' }),
          value: t.arg.id({
            required: true,
            description: 'The value to look up, as a string or an integer.',
          }),
        },
        extensions: { cost: { values: 1 } },
        resolve: (_root, { by, value }, { lookups, caller }) =>
          itemOf(lookups.findUsers(by, [value], caller)),
      }),
      app: t.field({
        type: App,
        nullable: true,
        description: 'An application by id; null if nothing matches.',
        args: {
          id: t.arg.id({
            required: true,
            description: 'The numeric identifier to look up, as a string or an integer.',
          }),
        },
        extensions: { cost: { values: 1 } },
        resolve: (_root, { id }, { lookups, caller }) => itemOf(lookups.findApps([id], caller)),
      }),
    }),
  })

  const built = builder.toSchema({ sortSchema: false })
  // A test validates the schema, so that a start need not.
  return new GraphQLSchema({ ...built.toConfig(), assumeValid: true })
}

/** Items may be errors: GraphQL makes a located error of each. Pothos has no type for such items. */
function listOf<Row>(items: Promise<readonly Item<Row>[]>): Promise<readonly (Row | null)[]> {
  return items as Promise<readonly (Row | null)[]>
}

/** The item of a lookup of one value. @throws the error that it is */
async function itemOf<Row>(items: Promise<readonly Item<Row>[]>): Promise<Row | null> {
  const [item = null] = await items
  if (item instanceof Error) throw item
  return item
}

/** The published schema. */
export const schema = createSchema('none')
