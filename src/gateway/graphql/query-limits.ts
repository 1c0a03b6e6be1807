/** How much a GraphQL query may hold. */
export interface QueryLimits {
  /**
   * Lexical tokens of a document; a value written into the query text counts, one in `variables` does not.
   */
  readonly tokens: number
  /** Levels of nested selections. Introspection is exempt: GraphiQL's own query is deeper. */
  readonly depth: number
  readonly aliases: number
  /** Fields of a response, counted before the query runs. */
  readonly fields: number
  readonly introspection: boolean
}
