// The example of Apollo Connectors: each connector carried out against a real gateway, whose own GraphQL says
// what must come of it. routers.test.ts composes it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  buildASTSchema,
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  graphql,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { type Gateway, startGateway } from '../../../kit/gateway.ts'
import { mapped, queryOf } from './mapping.ts'

const folder = fileURLToPath(new URL('../../../../examples/connectors/', import.meta.url))
const text = readFileSync(join(folder, 'lookup.graphql'), 'utf8')

interface Connect {
  readonly source: string
  readonly http: { readonly GET: string; readonly queryParams: string }
  readonly selection: string
  readonly batch?: { readonly maxSize: number }
}

/** The connectors, by the field or type that they are at. */
const connectors = new Map<string, Connect>()
const take = ({ name, directives = [] }: FieldDefinitionNode | ObjectTypeDefinitionNode) => {
  for (const directive of directives)
    if (directive.name.value === 'connect') connectors.set(name.value, argumentsOf(directive))
}
const document = visit(parse(text), {
  FieldDefinition: take,
  ObjectTypeDefinition: take,
})
function argumentsOf({ arguments: given = [] }: ConstDirectiveNode): Connect {
  const values = given.map(({ name, value }) => [name.value, valueFromASTUntyped(value)])
  return Object.fromEntries(values)
}
/** What clients see: without directives, and the schema extension that brings them. */
const schema = buildASTSchema(visit(document, { Directive: () => null, SchemaExtension: () => null }), {
  assumeValidSDL: true,
})

describe('connectors', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  async function carriedOut(name: string, ids: readonly string[]): Promise<unknown[]> {
    const connect = connectors.get(name)
    if (connect === undefined) throw new Error(`no connector at ${name}`)
    expect(connect.source).toBe('lookup')
    const url = new URL(connect.http.GET, gateway.url)
    url.search = queryOf(connect.http.queryParams, ids).toString()
    const response = await fetch(url)
    expect(response.status).toBe(200)
    return mapped(connect.selection, await response.json())
  }

  const user = '{ id username displayName rank joinDate isConfirmed banned }'
  const app = '{ id title version category changelogLink downloadLink }'

  test.each([
    ['users', 'users', user, `users(values: ["2", "1", "99"]) ${user}`],
    ['apps', 'apps', app, `apps(ids: ["2", "1", "99"]) ${app}`],
    ['User', 'users', user, `users(values: ["2", "1", "99"]) ${user}`],
  ])('%s is what the GraphQL of the gateway says', async (at, field, fields, own) => {
    const asked = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: `{ all: ${own} }` }),
    })
    const { data }: { data: { all: unknown[] } } = await asked.json()
    const rows = await carriedOut(at, ['2', '1', '99'])
    // By the types of the schema, as the router gives it to clients.
    const query = `{ all: ${field}(ids: ["2", "1", "99"]) ${fields} }`
    const result = await graphql({ schema, source: query, rootValue: { [field]: rows } })
    expect(result.errors).toBeUndefined()
    // JavaScript sorts members that are numbers.
    const there = data.all.filter((entry) => entry !== null).toReversed()
    expect(there).toHaveLength(2)
    expect(JSON.parse(JSON.stringify(result.data))).toEqual({ all: there })
  })

  test('references are batched as far as the gateway takes them', () => {
    expect(connectors.get('User')?.batch).toEqual({ maxSize: 1000 })
  })
})

test('the configurations name the subgraph and its source', () => {
  const read = (file: string) => parseYaml(readFileSync(join(folder, file), 'utf8'))
  const [subgraph] = Object.keys(read('supergraph.yaml').subgraphs)
  expect(Object.keys(read('router.yaml').connectors.sources)).toEqual([`${subgraph}.lookup`])
  expect(document.definitions.map(({ kind }) => kind)).toContain(Kind.SCHEMA_EXTENSION)
})
