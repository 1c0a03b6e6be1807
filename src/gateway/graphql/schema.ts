// The schema is what its types' files add up to, in this order.

import './user.ts'
import './app.ts'
import './query.ts'
import { GraphQLSchema } from 'graphql'
import { builder } from './builder.ts'

const built = builder.toSchema({ sortSchema: false })

/** Assumed valid, because a test has validated it: that is one thing less to do before the first answer. */
export const schema = new GraphQLSchema({ ...built.toConfig(), assumeValid: true })
