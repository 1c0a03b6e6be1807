import SchemaBuilder from '@pothos/core'
import type { Caller } from '../caller.ts'
import type { Lookups } from '../lookups/lookups.ts'
import { SafeInt, Url } from './scalars.ts'

/** The context of the resolvers. Each request has its own. */
export interface ResolverContext {
  readonly lookups: Lookups
  /** The client that waits for the response; `null` if no client waits. */
  readonly caller: Caller | null
  /** The name that the client has for itself. */
  readonly clientName: string
  /** Values that the request looks up, over all its fields: known when it has been counted. */
  values: number
  /** Representations of entities so far that could not be read. */
  malformed: number
}

export type Builder = ReturnType<typeof createBuilder>

export function createBuilder() {
  const builder = new SchemaBuilder<{
    Context: ResolverContext
    DefaultFieldNullability: false
    Scalars: {
      ID: { Input: string; Output: string | number }
      SafeInt: { Input: number; Output: number }
      URL: { Input: string; Output: string }
      DateTime: { Input: string; Output: string }
    }
  }>({ defaultFieldNullability: false })
  builder.addScalarType('SafeInt', SafeInt)
  builder.addScalarType('URL', Url)
  return builder
}
