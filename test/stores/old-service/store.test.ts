// An old service as the store: a real PHP one with its habits, and one that answers whatever a test wants.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import type { LookupMethod } from '../../../src/model.ts'
import type { Observation } from '../../../src/observation.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import { createCall } from '../../../src/stores/old-service/call.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { startAnswering } from '../../kit/answering.ts'
import { startGateway, startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'

/** A store over an old service, and what it observes. */
async function open(url: string, settings: Readonly<Record<string, string>> = {}) {
  const observations: Observation[] = []
  const { database } = readConfig({ flags: { DATABASE_URL: url, ...settings } })
  return { store: await openStore(database, (observation) => observations.push(observation)), observations }
}

const unavailable = expect.objectContaining({ code: 'Unavailable' })

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  const ids = async (by: LookupMethod, values: readonly string[], settings = {}) => {
    const { store } = await open(old.url, settings)
    return rowsOf(await store.findUsers(by, values)).map((user) => user?.id ?? null)
  }

  test('whole users and apps, in order, with misses and duplicates', async () => {
    const { store } = await open(old.url)
    expect(await store.findUsers('ID', ['3', '99', '1', '3'])).toMatchObject([
      { id: 3, username: 'mallory', banned: true },
      null,
      { id: 1, username: 'Ada', displayName: 'Ada of the Hill', joinDate: 1199145600, isConfirmed: true },
      { id: 3 },
    ])
    expect(await store.findApps(['2', '99'])).toMatchObject([{ id: 2, title: 'Paint & Paper' }, null])
    expect(await store.findUsers('ID', [])).toEqual([])
  })

  test.each(['missing', 'null', 'list'] as const)('an unknown identifier as %s', async (unknown) => {
    old.switchTo({ unknown })
    expect(await ids('ID', ['1', '99'])).toEqual([1, null])
    expect(await ids('ID', ['99'])).toEqual([null])
  })

  test('an unknown identifier as an error is an outage: it may mean anything', async () => {
    old.switchTo({ unknown: 'error', errorStatus: '200' })
    await expect(ids('ID', ['1', '99'])).rejects.toEqual(unavailable)
    expect(await ids('ID', ['1'])).toEqual([1])
  })

  test('usernames as the old service takes them, and chat identifiers by its own method', async () => {
    old.switchTo({ caseSensitive: true, chatMethod: 'talk', pretty: true })
    expect(await ids('USERNAME', ['Ada', 'ada', 'søren'])).toEqual([1, null, 2])
    expect(await ids('CHAT', ['chat-1001', 'x'], { LEGACY_CHAT_METHOD: 'talk' })).toEqual([1, null])
    old.switchTo({})
    expect(await ids('USERNAME', ['ADA', 'aDa'])).toEqual([1, 1])
  })

  test('what no query string can hold as it is meant matches nothing', async () => {
    old.switchTo({})
    expect(await ids('USERNAME', ['\ud800', 'a\0', '', `100% <b>#+?&'"`, 'Ada'])).toEqual([
      null,
      null,
      null,
      null,
      1,
    ])
  })

  test('its own name', async () => {
    old.switchTo({ serviceName: 'Acme' })
    const { store } = await open(old.url, { LEGACY_SERVICE_NAME: 'Acme' })
    expect(rowsOf(await store.findApps(['1']))[0]?.downloadLink).toMatch(/\/1\/$/)
    await expect((await open(old.url)).store.findApps(['1'])).rejects.toEqual(unavailable)
  })

  test('no call asks for more than it may', async () => {
    old.switchTo({ maxValues: 3 })
    const all = Array.from({ length: 14 }, (_, id) => String(id + 1))
    const found = await ids('ID', all, { DATABASE_MAX_VALUES: '3' })
    expect(found.filter((id) => id !== null).length).toBeGreaterThan(5)
  })

  test.each([
    ['fails', { failing: true }],
    ['hangs up half-way', { cutting: true }],
    ['takes too long', { delay: 500 }],
  ])('one that %s is an outage', async (_, switches) => {
    old.switchTo(switches)
    const { store, observations } = await open(old.url, { DATABASE_TIMEOUT: '200' })
    await expect(store.findUsers('ID', ['1'])).rejects.toEqual(unavailable)
    await expect(async () => store.ready()).rejects.toEqual(unavailable)
    expect(observations.map(({ type }) => type)).toEqual(['store-failed', 'store-failed'])
    old.switchTo({})
    await store.ready()
  })

  describe('a gateway over it', () => {
    test('answers as one over a database does, in both formats and in GraphQL', async () => {
      old.switchTo({ pretty: true })
      const over = await startGatewayOver({ DATABASE_URL: old.url })
      const beside = await startGateway()
      onTestFinished(async () => {
        await over.close()
        await beside.close()
      })
      const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username'
      for (const query of [
        'Event=ProfileLookup&Users=1:007:99:2',
        `${byName}&Users=ADA:s%C3%B8ren:nobody`,
        'Event=AppLookup&Apps=2:1',
        'Event=AppLookup&Apps=99',
        'Event=ProfileLookup&Users=x',
      ]) {
        for (const format of ['JSON', 'XML']) {
          const read = async (url: string) => (await fetch(`${url}/?${query}&Format=${format}`)).text()
          expect(await read(over.url), query).toBe(await read(beside.url))
        }
      }
      const ask = async (url: string) => {
        const query =
          '{ users(by: USERNAME, values: ["Ada", "nobody"]) { id joinDate } apps(ids: [1]) { title } }'
        const body = JSON.stringify({ query })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json()
      }
      expect(await ask(over.url)).toEqual(await ask(beside.url))
    })

    test('says 503 while it is away, and nothing else', async () => {
      old.switchTo({ failing: true })
      const over = await startGatewayOver({ DATABASE_URL: old.url })
      onTestFinished(over.close)
      const response = await fetch(`${over.url}/?Event=ProfileLookup&Users=1`)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).not.toBeNull()
      expect(await response.text()).not.toMatch(/var\/www|PDO|127\.0\.0\.1/)
      old.switchTo({})
      expect((await fetch(`${over.url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
    })
  })
})

describe('whatever an old service answers', () => {
  /** An old service that gives one answer to everything, and notes what it was asked. */
  async function answering(body: string | Buffer, { status = 200, headers = {} } = {}) {
    const { url, asked, close } = await startAnswering((_, response) => {
      response.writeHead(status, headers).end(body)
    })
    onTestFinished(close)
    return { url: `${url}old/lookup.php`, asked }
  }

  const user = {
    Id: 1,
    Username: 'Ada',
    DisplayName: '',
    Rank: 0,
    JoinDate: 0,
    IsConfirmed: true,
    Banned: false,
  }
  const one = (changed: object) => JSON.stringify({ 1: { ...user, ...changed } })
  const find = async (url: string, values = ['1']) => (await open(url)).store.findUsers('ID', values)

  test('is asked for where it is, and in one call', async () => {
    const { url, asked } = await answering(one({}))
    expect(await find(url, ['1', '2'])).toMatchObject([{ id: 1 }, null])
    expect(asked).toEqual([
      '/old/lookup.php?Event=ProfileLookup&MethodOfAccessingUserInformation=id&Users=1:2',
    ])
  })

  test('bytes beyond ASCII go as they are, and nothing ends the request line', async () => {
    const lines: string[] = []
    const server = createServer((socket) =>
      socket.on('data', (data) => {
        lines.push(data.toString('latin1').split('\r\n')[0] ?? '')
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      }),
    )
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo // a TCP server's address is no string
    const call = createCall(
      { url: `http://127.0.0.1:${port}/`, headers: {} },
      { timeout: 1000, connections: 1 },
    )
    for (const query of ['a=\u00c3\u00a9\xff', 'a=b c\r\nHost: x\0', 'a=\u20ac\ud800']) await call(query)
    expect(lines).toEqual([
      'GET /?a=\u00c3\u00a9\xff HTTP/1.1',
      'GET /?a=b%20c%0D%0AHost:%20x%00 HTTP/1.1',
      'GET /?a=%E2%82%AC%EF%BF%BD HTTP/1.1',
    ])
  })

  test.each([
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['an entry that is null', '{"1":null}'],
    ['an entry that is an empty list', '{"1":[]}'],
    ['an entry that is an empty object', '{"1":{}}'],
    ['an entry that is false', '{"1":false}'],
    ['an entry that is an empty text', '{"1":""}'],
    ['an entry of nothing but null', JSON.stringify({ 1: { Id: null, Username: null, Rank: null } })],
    ['an entry of empty texts', JSON.stringify({ 1: { Id: '', Username: '', Rank: null } })],
    [
      "an entry of nothing as PHP's casts have it",
      JSON.stringify({ 1: { ...user, Id: 0, Username: 'Guest' } }),
    ],
    ['an entry with the id 0 as a text', JSON.stringify({ 1: { ...user, Id: '0' } })],
    ['an entry that is an error', '{"1":{"Error":"No such user"}}'],
    ['an entry that is an error with a code', '{"1":{"error":{"code":7,"message":"No such user"}}}'],
  ])('%s is no user', async (_, body) => {
    expect(await find((await answering(body)).url)).toEqual([null])
  })

  test.each<[string, object]>([
    ['numbers as texts', { Id: '1', Rank: '-5', JoinDate: '9007199254740991' }],
    ['booleans as numbers', { IsConfirmed: 1, Banned: 0 }],
    ['booleans as digits', { IsConfirmed: '1', Banned: '0' }],
    ["booleans as PHP's cast has them", { IsConfirmed: '1', Banned: '' }],
    ['booleans as words', { IsConfirmed: 'true', Banned: 'false' }],
  ])('%s are read', async (_, changed) => {
    const { Rank = 0, JoinDate = 0 } = { ...user, ...changed }
    expect(await find((await answering(one(changed))).url)).toMatchObject([
      { id: 1, rank: Number(Rank), joinDate: Number(JoinDate), isConfirmed: true, banned: false },
    ])
  })

  test.each<[string, string | Buffer, object?]>([
    ['nothing', ''],
    ['half of it', one({}).slice(0, 40)],
    ['a page', '<html>maintenance</html>'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['a number for an entry', '{"1":1}'],
    ['an error', '{"error":"Nothing found"}'],
    ['a missing field', one({ Rank: undefined })],
    ['a number with blanks as text', one({ Rank: ' 1' })],
    ['a fraction as text', one({ Rank: '1.0' })],
    ['a number as text that is rounded', one({ JoinDate: '9007199254740993' })],
    ['a fraction', one({ Rank: 1.5 })],
    ['a number that is rounded', one({}).replace('"JoinDate":0', '"JoinDate":9007199254740993')],
    ['a text as a number', one({ Username: 1 })],
    ['a boolean as another number', one({ Banned: 2 })],
    ['a boolean as a word', one({ Banned: 'no' })],
    ['a number that is null', one({ Rank: null })],
    ['a boolean that is null', one({ Banned: null })],
    ['a user without a name', one({ Username: null })],
    ['another user', one({ Id: 2 })],
    ['a user who was not asked for', JSON.stringify({ 2: { ...user, Id: 2 } })],
    ['an error without a text', '{"error":{"code":7}}'],
    ['nobody who was not asked for', '{"2":null}'],
    ['broken UTF-8', Buffer.from(one({ DisplayName: 'é' }), 'latin1')],
    ['more than is read', `{"1":"${'x'.repeat(9 * 1024 * 1024)}"}`],
    ['a redirection', '', { status: 302, headers: { Location: '/elsewhere' } }],
    ['not found', '{}', { status: 404 }],
    ['an outage', '{}', { status: 503 }],
  ])('%s is an outage', async (_, body, options = {}) => {
    const { url, asked } = await answering(body, options)
    const { store, observations } = await open(url)
    await expect(store.findUsers('ID', ['1'])).rejects.toEqual(unavailable)
    expect(observations.map(({ type }) => type)).toEqual(['store-failed'])
    expect(asked).toHaveLength(1)
  })

  test('a text that is null is read as empty', async () => {
    expect(await find((await answering(one({ DisplayName: null }))).url)).toMatchObject([{ displayName: '' }])
  })

  test('an app of nothing is none', async () => {
    const app = { Title: null, Version: '', Category: 0, ChangelogLink: null, ServiceDownloadLink: '' }
    const { store } = await open((await answering(JSON.stringify({ 1: app }))).url)
    expect(await store.findApps(['1'])).toEqual([null])
  })

  test('a list where PHP makes one of the keys 0 and 1, or of all', async () => {
    expect(await find((await answering('[null]')).url, ['0'])).toEqual([null])
    const { url } = await answering(JSON.stringify([null, user]))
    expect(await find(url, ['0', '1'])).toMatchObject([null, { id: 1 }])
    const { store } = await open((await answering(JSON.stringify([{ ...user, Id: 2 }, user]))).url)
    expect(await store.findUsers('ID', ['1', '2'])).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  test('a user under the username as it is stored is the one that was asked for', async () => {
    const { url } = await answering(JSON.stringify({ Ada: user }))
    const { store } = await open(url)
    expect(rowsOf(await store.findUsers('USERNAME', ['ADA', 'ada', 'x'])).map((found) => found?.id)).toEqual([
      1,
      1,
      undefined,
    ])
  })

  test('spellings of a username go in one call, and those that it does not settle in another', async () => {
    const { url, asked, close } = await startAnswering(({ url = '' }, response) => {
      const values = decodeURIComponent(url).split('Users=')[1]?.split(':') ?? []
      // As a database with a collation does it: under the name as it is stored, whatever was asked for.
      const found = values.some((value) => value.toLowerCase() === 'ada')
      response.end(found ? JSON.stringify({ Ada: user }) : '{}')
    })
    onTestFinished(close)
    const { store } = await open(url)
    const found = await store.findUsers('USERNAME', ['Ada', 'ADA', 'bob', 'ada', 'Bob'])
    expect(rowsOf(found).map((one) => one?.id ?? null)).toEqual([1, 1, null, 1, null])
    expect(asked.map((target) => target.split('Users=')[1])).toEqual(['Ada:ADA:bob:ada:Bob', 'ADA:ada'])
  })

  test('long lists go in several calls, none longer than old servers read', async () => {
    const { url, asked } = await answering('{}')
    const { store } = await open(url)
    await store.findUsers(
      'CHAT',
      Array.from({ length: 250 }, (_, at) => `${'é'.repeat(50)}${at}`),
    )
    expect(asked.length).toBeGreaterThan(10)
    for (const target of asked) expect(target.length).toBeLessThan(8000)
  })

  test('no user there is an outage', async () => {
    const { url } = await answering('{}')
    const gone = new URL(url)
    gone.port = '1'
    await expect(find(gone.href)).rejects.toEqual(unavailable)
  })
})
