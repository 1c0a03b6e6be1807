// The scalars beside those of GraphQL itself. Responses have them, arguments do not.

import { GraphQLScalarType, Kind } from 'graphql'

function safeInt(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError('SafeInt must be an integer between -(2^53-1) and 2^53-1.')
}

export const SafeInt = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  description:
    'An integer between -(2^53-1) and 2^53-1, for values beyond the 32 bits of Int. Written as a plain JSON number.',
  // Its section on numbers: this is the range in which all implementations agree on the exact value.
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  serialize: safeInt,
  parseValue: safeInt,
  parseLiteral: (node) => safeInt(node.kind === Kind.INT ? Number(node.value) : undefined),
})

/** Text passes unchecked: to parse 200 links takes 60 us, and to execute a lookup of 100 apps 20 us. */
function text(value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError('The value is not a string.')
}

export const Url = new GraphQLScalarType<string, string>({
  name: 'URL',
  description:
    'An absolute http or https URL of up to 2,048 characters. The import checks it; a response has it as it is stored.',
  specifiedByURL: 'https://url.spec.whatwg.org/',
  serialize: text,
})

export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A point in time in UTC with milliseconds, such as 2008-01-01T00:00:00.000Z.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time',
  serialize: text,
})
