// Real routers compose the gateway with another subgraph, and ask both. Apollo's composition takes the
// example of connectors. One file, since two would install the packages at the same time.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, sample, startGateway } from '../../../kit/gateway.ts'
import { installed } from '../../../kit/install.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const rowsOf = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const users = rowsOf(sample.users)
const apps = rowsOf(sample.apps)

const closing: (() => Promise<void>)[] = []

/** Starts a file of this folder. @returns where it listens, which it says on stdout */
async function start(file: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(folder, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  closing.push(async () => {
    // Hive's catches any other signal, and goes on.
    child.kill('SIGKILL')
    await ended
  })
  for await (const line of createInterface(child.stdout)) if (line.startsWith('http://')) return line
  throw new Error(`${file} has ended`)
}

const there = installed(folder, '@apollo/gateway')

const example = new URL('../../../../examples/connectors/lookup.graphql', import.meta.url)
const connectors = readFileSync(example, 'utf8')

function compose(schema: string): string[] {
  const options = { input: schema, encoding: 'utf8' } as const
  return JSON.parse(spawnSync(process.execPath, [join(folder, 'compose.js')], options).stdout)
}

describe.skipIf(!there)('composition of examples/connectors', () => {
  test('takes the schema', () => {
    expect(compose(connectors)).toEqual([])
  })

  test.each([
    ['an argument', 'selection:', 'select:', 'select'],
    ['a type', ': SafeInt!', ': Integer!', 'Integer'],
    ['a version', 'connect/v0.2', 'connect/v9.9', '@source'],
  ])('would name %s that does not exist', (_, right, wrong, named) => {
    expect(compose(connectors.replace(right, wrong)).join()).toContain(named)
  })
})

describe.skipIf(!there)('a router', () => {
  let gateway: Gateway
  let urls: Readonly<Record<string, string>> = {}
  beforeAll(async () => {
    // No router needs introspection.
    gateway = await startGateway({ FEDERATION: 'on', INTROSPECTION: 'off' })
    const subgraphs = [`lookup=${gateway.url}/graphql`, `posts=${await start('posts.js')}`]
    const [apollo, hive] = await Promise.all([
      start('apollo.js', ...subgraphs),
      start('hive.js', ...subgraphs),
    ])
    urls = { apollo, hive }
  })
  afterAll(async () => {
    await Promise.all(closing.map((close) => close()))
    await gateway.close()
  })
  beforeEach(() => {
    gateway.observations.length = 0
  })

  async function ask(router: string, query: string): Promise<unknown> {
    const response = await fetch(urls[router] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = await response.json()
    return data
  }

  const countOf = (type: string, lookup?: string) =>
    gateway.observations.filter(
      (observation) =>
        observation.type === type && (lookup === undefined || Object(observation).lookup === lookup),
    ).length
  const thirty = Array.from({ length: 30 }, (_, number) => number)
  const authorOf = (number: number) => ({ username: users[number % 7]?.username })
  const editorOf = (number: number) =>
    number % 4 === 3 ? null : { displayName: users[number % 8]?.displayName }

  describe.each(['apollo', 'hive'])('%s', (router) => {
    test('gets thirty authors by one call of the store', async () => {
      expect(await ask(router, '{ posts(first: 30) { id author { username } } }')).toEqual({
        posts: thirty.map((number) => ({ id: String(number), author: authorOf(number) })),
      })
      expect(countOf('store-query')).toBe(1)
    })

    test('gets both types by one call each', async () => {
      const query =
        '{ posts(first: 30) { about { __typename ... on User { username } ... on App { title } } } }'
      const about = [
        { __typename: 'User', username: users[1]?.username },
        { __typename: 'App', title: apps[1]?.title },
        null,
      ]
      expect(await ask(router, query)).toEqual({ posts: thirty.map(() => ({ about })) })
      expect(countOf('request')).toBe(1)
      expect([countOf('store-query', 'users-by-id'), countOf('store-query', 'apps-by-id')]).toEqual([1, 1])
    })

    test('asks what a client asks', async () => {
      const query = '{ users(by: USERNAME, values: ["ada", "nobody"]) { id } app(id: 1) { title } }'
      expect(await ask(router, query)).toEqual({ users: [{ id: '1' }, null], app: { title: apps[0]?.title } })
    })
  })

  // Apollo's asks for each path by a request of its own; they share a call only where they arrive together.
  test.each([
    ['apollo', 2],
    ['hive', 1],
  ])(
    '%s gets thirty authors and editors by %i requests, and no more calls of the store',
    async (router, requests) => {
      expect(
        await ask(router, '{ posts(first: 30) { author { username } editor { displayName } } }'),
      ).toEqual({
        posts: thirty.map((number) => ({ author: authorOf(number), editor: editorOf(number) })),
      })
      expect(countOf('request')).toBe(requests)
      expect(countOf('store-query')).toBeLessThanOrEqual(requests)
    },
  )
})
