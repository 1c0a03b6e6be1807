// Variables that do not fit are refused without looking at more of them than the errors show.

import { buildSchema, GraphQLScalarType, parse } from 'graphql'
import { expect, test } from 'vitest'
import { createVariableReader } from '../../../src/gateway/graphql/variables.ts'

test('of thousands of wrong values, fifty are read', () => {
  let read = 0
  const schema = buildSchema('scalar Never type Query { ask(values: [Never]): Int }')
  const never = schema.getType('Never')
  if (!(never instanceof GraphQLScalarType)) throw new Error('no scalar')
  never.parseValue = () => {
    read++
    throw new TypeError('wrong')
  }
  const [query] = parse('query ($values: [Never]) { ask(values: $values) }').definitions
  if (query?.kind !== 'OperationDefinition') throw new Error('no query')
  const readVariables = createVariableReader(schema, query.variableDefinitions ?? [])

  const { errors } = readVariables({ values: Array(30_000).fill(1) })
  expect(errors?.length).toBeLessThan(60)
  expect(read).toBeLessThan(60)
})
