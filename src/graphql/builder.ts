import SchemaBuilder from '@pothos/core'
import { GraphQLScalarType, Kind } from 'graphql'
import type { Caller } from '../caller.ts'
import type { Lookups } from '../lookups/lookups.ts'

/** What a resolver is given, fresh for each request. */
export interface RequestContext {
  readonly lookups: Lookups
  /** The client that waits for the answer; `null` where there is none. */
  readonly caller: Caller | null
  /** The name that the client has for itself. */
  readonly clientName: string
  /** Values that the request looks up, over all its fields: known when it has been counted. */
  values: number
  /** Representations of entities so far that could not be read. */
  malformed: number
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
    // Its section on numbers: this is the range in which all implementations agree on the exact value.
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
    serialize: safeInt,
    parseValue: safeInt,
    parseLiteral: (node) => safeInt(node.kind === Kind.INT ? Number(node.value) : undefined),
  }),
)
