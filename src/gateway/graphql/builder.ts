import SchemaBuilder from '@pothos/core'
import { GraphQLScalarType, Kind } from 'graphql'
import type { Caller } from '../../caller.ts'
import type { Item, Lookups } from '../loaders/lookups.ts'

/** What a resolver is given, fresh for each request. */
export interface RequestContext {
  readonly lookups: Lookups
  /** The client that waits for the answer; `null` where there is none. */
  readonly caller: Caller | null
  /** Values that the request looks up, over all its fields: known when it has been counted. */
  values: number
}

/** Items may be errors: GraphQL makes a located error of each. Pothos has no type for such items. */
export function listOf<Row>(items: Promise<readonly Item<Row>[]>): Promise<readonly (Row | null)[]> {
  return items as Promise<readonly (Row | null)[]>
}

export const builder = new SchemaBuilder<{
  Context: RequestContext
  DefaultFieldNullability: false
  Scalars: {
    ID: { Input: string; Output: string | number }
    SafeInt: { Input: number; Output: number }
  }
}>({ defaultFieldNullability: false })

function safeInt(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError('SafeInt must be an integer between -(2^53-1) and 2^53-1.')
}

builder.addScalarType(
  'SafeInt',
  new GraphQLScalarType<number, number>({
    name: 'SafeInt',
    description:
      'An integer between -(2^53-1) and 2^53-1, for values beyond the 32 bits of Int. Written as a plain JSON number.',
    serialize: safeInt,
    parseValue: safeInt,
    parseLiteral: (node) => safeInt(node.kind === Kind.INT ? Number(node.value) : undefined),
  }),
)

builder.queryType({
  description: 'Look-ups of users and of published applications. There is nothing to write.',
})
