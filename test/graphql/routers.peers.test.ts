// Two routers over the gateway and another subgraph, all as processes. `npm run test:routers` installs them.

import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery, isObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { schema as published } from '../../src/graphql/schema.ts'
import { root } from '../kit/documentation.ts'
import { sample, temporaryFolder } from '../kit/gateway.ts'
import { startGatewayProcess } from '../kit/gateway-process.ts'
import { freePort } from '../kit/postgres/server.ts'
import { outcomeOf, runProcess, startLookup } from '../kit/run-lookup.ts'
import { ask } from './client.ts'

const folder = fileURLToPath(new URL('routers/', import.meta.url))
const packages = join(folder, 'node_modules')

interface Server {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts a GraphQL server, and waits until it responds. */
async function start(
  entry: string,
  port: number,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const url = `http://127.0.0.1:${port}`
  const options = { cwd: dirname(entry), entry, env: { PORT: `${port}`, ...env }, timeout: 120_000 }
  const child = startLookup([], options)
  const ended = outcomeOf(child)
  await Promise.race([
    vi.waitFor(() => ask({ url }, { query: '{ __typename }' }), { timeout: 60_000 }),
    ended.then(({ stderr }) => Promise.reject(new Error(`${entry} ended: ${stderr}`))),
  ])
  const stop = async () => {
    child.kill()
    await ended
  }
  return { url, stop }
}

/** The subgraphs have these addresses in examples/federation. */
type Addresses = Readonly<Record<'lookup' | 'posts', string>>

const routers: Readonly<Record<string, (subgraphs: Addresses) => Promise<Server>>> = {
  "Apollo's": async ({ lookup, posts }) =>
    start(join(folder, 'apollo.js'), await freePort(), { LOOKUP: lookup, REVIEWS: posts }),

  /** The two programs of examples/federation, with other addresses. */
  "Hive's": async ({ lookup, posts }) => {
    const port = await freePort()
    const { path, remove } = temporaryFolder()
    symlinkSync(packages, join(path, 'node_modules'))
    const adapt = (name: string) => {
      const code = readFileSync(join(root, 'examples/federation', name), 'utf8')
      const here = code.replace(/http:\S+4000\/graphql/, lookup).replace(/http:\S+4010\/graphql/, posts)
      writeFileSync(join(path, name), here.replace('4020', `${port}`))
      return join(path, name)
    }
    const compose = adapt('compose.mjs')
    expect(await runProcess([], { cwd: path, entry: compose })).toMatchObject({ status: 0, stderr: '' })
    const { url, stop } = await start(adapt('router.mjs'), port)
    return { url, stop: () => stop().finally(remove) }
  },
}

/** The username of each user of the sample data, by id. */
const usernames = new Map(
  readFileSync(sample.users, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ id, username }) => [`${id}`, username]),
)

function fieldsOf(schema: GraphQLSchema, type: string): Set<string> {
  const found = schema.getType(type)
  return new Set(isObjectType(found) ? Object.keys(found.getFields()) : [])
}

const reviews = `query ($ids: [ID!]!) {
  reviews(ids: $ids) { author { id username reviewsPage } app { id title reviewsPage } }
}`
const authors = 'query ($ids: [ID!]!) { reviews(ids: $ids) { author { username } } }'
const direct = `query ($ids: [ID!]!) {
  users(values: $ids) { displayName reviewsPage }
  apps(ids: $ids) { downloadLink reviewsPage }
  user(by: USERNAME, value: "Ada") { id }
}`
const upTo = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}`)

const pageOf = (path: string) => ({ reviewsPage: `https://reviews.example/${path}` })
const ada = { id: '1', username: 'Ada', ...pageOf('users/1') }
const paint = { id: '2', title: 'Paint & Paper', ...pageOf('apps/2') }
const authorOf = (id: string) => (usernames.has(id) ? { username: usernames.get(id) } : null)

describe.skipIf(!existsSync(packages)).for(Object.entries(routers))('%s router', ([, startRouter]) => {
  let router: Server
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const gateway = await startGatewayProcess({ FEDERATION: 'on', LEGACY_MAX_VALUES: '100' })
    ends.unshift(async () => expect(await gateway.close()).toBe(''))
    const reviews = await start(join(folder, 'reviews.js'), await freePort())
    ends.unshift(reviews.stop)
    router = await startRouter({ lookup: `${gateway.url}/graphql`, posts: `${reviews.url}/` })
    ends.unshift(router.stop)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test.for<[name: string, query: string, ids: readonly string[], data: unknown]>([
    ['a reference to each type', reviews, ['1-2'], { reviews: [{ author: ada, app: paint }] }],
    [
      'references of which some find nothing',
      reviews,
      ['1-99', '99-2', 'abc-x', '-', '9007199254740993-2', '1-2'],
      {
        reviews: [
          { author: ada, app: null },
          { author: null, app: paint },
          { author: null, app: null },
          { author: null, app: null },
          { author: null, app: paint },
          { author: ada, app: paint },
        ],
      },
    ],
    ['100 references', authors, upTo(100), { reviews: upTo(100).map((id) => ({ author: authorOf(id) })) }],
    [
      'lookups of clients, with the fields of the other subgraph',
      direct,
      ['2', '99', 'abc'],
      {
        users: [{ displayName: 'Søren Ærlig', ...pageOf('users/2') }, null, null],
        apps: [{ downloadLink: 'https://apps.example/download/2/', ...pageOf('apps/2') }, null, null],
        user: { id: '1' },
      },
    ],
  ])('%s', async ([, query, ids, expected]) => {
    const { data, errors } = await ask(router, { query, variables: { ids } })
    expect(data).toEqual(expected)
    // Hive's gateway adds an error if an entity that it needs is null.
    if (!JSON.stringify(expected).includes('null')) expect(errors).toBeUndefined()
  })

  test.for([
    ['values', 'query ($ids: [ID!]!) { users(values: $ids) { username } }'],
    ['references', authors],
  ] as const)('too many %s are an error with its code', async ([, query]) => {
    const { errors } = await ask(router, { query, variables: { ids: upTo(101) } })
    const codes = new Set(errors?.map(({ extensions }) => extensions?.code))
    expect([...codes]).toEqual(['TOO_MANY_VALUES'])
  })

  test('clients see the types of both subgraphs, and nothing for routers', async () => {
    const { data } = await ask(router, { query: getIntrospectionQuery({ specifiedByUrl: true }) })
    const schema = buildClientSchema(Object(data))
    for (const [type, added] of [
      ['Query', 'reviews'],
      ['User', 'reviewsPage'],
      ['App', 'reviewsPage'],
    ] as const)
      expect(fieldsOf(schema, type)).toEqual(fieldsOf(published, type).add(added))
    expect(schema.getType('URL')).toMatchObject({ specifiedByURL: 'https://url.spec.whatwg.org/' })
  })
})
