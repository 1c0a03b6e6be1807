// FEDERATION=on: the schema as routers and clients see it. Off, there is nothing of it.

import { readFileSync } from 'node:fs'
import { GraphQLSchema, parse, printType, validateSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subgraphOf } from '../../../src/gateway/graphql/federation.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, codeOf, dataOf } from './client.ts'

const subgraph = subgraphOf(schema)
const published = readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8')
const service = { query: '{ _service { sdl } }' }

describe('the schema', () => {
  test('is valid', () => {
    const unchecked = new GraphQLSchema({ ...subgraph.toConfig(), assumeValid: false })
    expect(validateSchema(unchecked)).toEqual([])
  })

  test('has what the specification of subgraphs asks for', () => {
    const bare = (name: string) => {
      const type = subgraph.getType(name)
      return type === undefined ? undefined : printType(type).replace(/"""[^"]*"""\s*/g, '')
    }
    expect(bare('_Any')).toBe('scalar _Any')
    expect(bare('_Entity')).toBe('union _Entity = User | App')
    expect(bare('_Service')).toBe('type _Service {\n  sdl: String!\n}')
    expect(bare('Query')).toContain('  _service: _Service!\n')
    expect(bare('Query')?.replace(/\s+/g, '')).toContain('_entities(representations:[_Any!]!):[_Entity]!')
  })

  test('describes what it adds', () => {
    const { _service, _entities } = subgraph.getQueryType()?.getFields() ?? {}
    const types = ['_Any', '_Entity', '_Service'].map((name) => subgraph.getType(name))
    for (const part of [...types, _service, _entities, ...(_entities?.args ?? [])])
      expect(part?.description, part?.name).toMatch(/^[A-Z].{10,}\.$/s)
  })

  test('has the other types, and the other root fields, as they are', () => {
    for (const type of Object.values(schema.getTypeMap()))
      if (type !== schema.getQueryType()) expect(subgraph.getType(type.name), type.name).toBe(type)
    const { _service, _entities, ...others } = subgraph.getQueryType()?.toConfig().fields ?? {}
    expect(others).toEqual(schema.getQueryType()?.toConfig().fields)
  })
})

describe('FEDERATION=on', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ FEDERATION: 'on', INTROSPECTION: 'off' })
  })
  afterAll(() => gateway.close())

  test('tells a router the published schema, with keys: without introspection, too', async () => {
    expect(codeOf(await ask(gateway, { query: '{ __schema { queryType { name } } }' }))).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    )
    const { _service } = await dataOf(gateway, service)
    const [link, ...sdl] = String(Object(_service).sdl).split('\n\n')
    expect(link).toMatch(
      /^extend schema @link\(url: "https:\/\/specs\.apollo\.dev\/federation\/v2\.0", import: \["@key"\]\)$/,
    )
    expect(sdl.join('\n\n')).toBe(published.replace(/^type (?:User|App)(?= \{$)/gm, '$& @key(fields: "id")'))
    expect(sdl.join('\n\n').match(/@key/g)).toHaveLength(2)
    expect(() => parse(sdl.join('\n\n'))).not.toThrow()
  })

  test('tells the schema once in a document', async () => {
    for (const query of [
      '{ _service { sdl a: sdl } }',
      '{ _service { ...S } a: _service { ...S } } fragment S on _Service { sdl b: sdl }',
    ]) {
      const refused = await ask(gateway, { query })
      expect(refused.status).toBe(400)
      expect(codeOf(refused)).toBe('TOO_MUCH_INTROSPECTION')
    }
  })
})

test('clients may introspect the subgraph; the file under /schema/ stays the one for clients', async () => {
  const gateway = await startGateway({ FEDERATION: 'on' })
  try {
    const { __schema } = await dataOf(gateway, { query: '{ __schema { types { name } } }' })
    expect(JSON.stringify(__schema)).toContain('"_Entity"')
    expect(await (await fetch(`${gateway.url}/schema/schema.graphql`)).text()).toBe(published)
  } finally {
    await gateway.close()
  }
})

test('FEDERATION=off has nothing of it', async () => {
  const gateway = await startGateway()
  try {
    for (const query of [service.query, '{ _entities(representations: []) { __typename } }'])
      expect(codeOf(await ask(gateway, { query }))).toBe('GRAPHQL_VALIDATION_FAILED')
    const { text } = await ask(gateway, { query: '{ __schema { types { name fields { name } } } }' })
    expect(text).not.toMatch(/"_(?:Any|Entity|Service|entities|service)"/)
  } finally {
    await gateway.close()
  }
})
