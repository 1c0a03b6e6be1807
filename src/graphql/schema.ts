// The schema: the root fields, and what their types' files add. Each root field may fail without the others:
// all of them are nullable.

// First, so that the published schema has User before App.
import './user.ts'
import { GraphQLSchema } from 'graphql'
import type { Item } from '../lookups/lookups.ts'
import { App } from './app.ts'
import { builder } from './builder.ts'
import { cost } from './cost.ts'
import { User, UserLookupMethod } from './user.ts'

builder.queryType({
  description: 'Look-ups of users and of published applications. There is nothing to write.',
})

/** How values are read where a query does not say. */
const method = { type: UserLookupMethod, required: true, defaultValue: 'ID' } as const

builder.queryField('users', (t) =>
  t.field({
    type: [User],
    nullable: { list: true, items: true },
    description:
      'Users by id, username or chat identifier: one item per value, in order; null where nothing matches.',
    args: {
      by: t.arg({ ...method, description: 'How the values are read.' }),
      values: t.arg.stringList({ required: true, description: 'The values to look up.' }),
    },
    extensions: cost({ list: 'values' }),
    resolve: (_root, { by, values }, { lookups, caller }) => listOf(lookups.findUsers(by, values, caller)),
  }),
)

builder.queryField('apps', (t) =>
  t.field({
    type: [App],
    nullable: { list: true, items: true },
    description: 'Applications by id: one item per id, in order; null where nothing matches.',
    args: { ids: t.arg.idList({ required: true, description: 'The numeric identifiers to look up.' }) },
    extensions: cost({ list: 'ids' }),
    resolve: (_root, { ids }, { lookups, caller }) => listOf(lookups.findApps(ids, caller)),
  }),
)

builder.queryField('user', (t) =>
  t.field({
    type: User,
    nullable: true,
    description: 'A user by id, username or chat identifier; null where nothing matches.',
    args: {
      by: t.arg({ ...method, description: 'How the value is read.' }),
      value: t.arg.string({ required: true, description: 'The value to look up.' }),
    },
    extensions: cost({ values: 1 }),
    resolve: (_root, { by, value }, { lookups, caller }) => itemOf(lookups.findUsers(by, [value], caller)),
  }),
)

builder.queryField('app', (t) =>
  t.field({
    type: App,
    nullable: true,
    description: 'An application by id; null where nothing matches.',
    args: { id: t.arg.id({ required: true, description: 'The numeric identifier to look up.' }) },
    extensions: cost({ values: 1 }),
    resolve: (_root, { id }, { lookups, caller }) => itemOf(lookups.findApps([id], caller)),
  }),
)

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

const built = builder.toSchema({ sortSchema: false })

/** Assumed valid, because a test has validated it: that is one thing less to do before the first answer. */
export const schema = new GraphQLSchema({ ...built.toConfig(), assumeValid: true })
