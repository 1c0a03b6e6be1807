// The page for operators at `/` of the admin port.

import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../kit/documentation.ts'
import { makeDatabase } from '../kit/postgres/database.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { look, plain, sectionOf } from './look.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const start = (env: Readonly<Record<string, string>> = {}, ...flags: string[]) =>
  serve({ cwd: place.path, env }, ...flags)
const operation = (name: string) => encodeURIComponent(`query ${name} { users(values: ["1"]) { username } }`)

test('before any request, it says that all is well, and leaves out what has nothing to say', async () => {
  const { body } = await look(await start())
  expect(plain(body)).toContain('Ready. Lookups are answered.')
  expect(plain(body)).toMatch(/processes that answer 1 of 1 /)
  expect([...body.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title)).toEqual([
    ...['Traffic', 'Database', 'Dialect in force'],
  ])
  expect(sectionOf(body, 'Traffic')).toBe('No requests yet.')
})

test('an empty database is named, with what to do, until it has rows', async () => {
  const env = { DATABASE_URL: 'sqlite:empty.db', LOG_LEVEL: 'silent' }
  expect((await place.run(['migrate'], { env })).status).toBe(0)
  const serving = await start(env)
  const said = async () => plain((await look(serving)).body)
  expect(await said()).toContain(
    'Ready. Lookups are answered, but the database has 0 users, 0 apps. Fill it with ' +
      '&quot;lookup import users FILE&quot; and &quot;lookup import apps FILE&quot;.',
  )
  for (const name of ['users', 'apps'] as const) {
    const file = `${root}src/data/sample/${name}.jsonl`
    expect((await place.run(['import', name, file], { env })).status).toBe(0)
  }
  await expect.poll(said, { timeout: 20_000 }).toContain('Ready. Lookups are answered. ')
})

test('it shows what was asked, what came of it, and what to do', async () => {
  const serving = await start({ LEGACY_MALFORMED: 'unknown', LEGACY_ERROR_TEXTS: 'UnknownEvent=<b>No</b>' })
  const url = originOf(serving.shown['Legacy JSON'])
  const get = async (target: string, headers = {}) => (await fetch(url + target, { headers })).text()
  for (let time = 0; time < 3; time++) await get('/?Event=ProfileLookup&Users=1:2&Format=XML')
  await get('/?Event=Nothing')
  await get(`/graphql?query=${operation('Shown')}`, { 'apollographql-client-name': 'web' })
  const { body } = await look(serving)
  expect(sectionOf(body, 'Traffic')).toMatch(/ProfileLookup XML ok 3 [\d.]+/)
  expect(sectionOf(body, 'Latency')).toMatch(
    /ProfileLookup XML ≤ [\d.]+ ms ≤ [\d.]+ ms ≤ [\d.]+ ms ≤ [\d.]+ ms/,
  )
  expect(sectionOf(body, 'Errors')).toContain('UnknownEvent 1 1 Clients ask for another event.')
  expect(sectionOf(body, 'Database')).toMatch(/users-by-id [1-4] ≤/)
  expect(sectionOf(body, 'GraphQL operations')).toContain('web Shown 1')
  const dialect = sectionOf(body, 'Dialect in force')
  expect(dialect).toContain('LEGACY_MALFORMED unknown whether a malformed numeric identifier')
  expect(dialect).toContain('UnknownEvent=&lt;b&gt;No&lt;/b&gt;')
  expect(dialect).not.toContain('LEGACY_UNKNOWN_XML')
  await expect
    .poll(async () => sectionOf((await look(serving)).body, 'The last 15 minutes'))
    .toContain('Requests a second')
})

test('of a thousand operations it shows twenty, and how many more there are', async () => {
  const serving = await start()
  const url = originOf(serving.shown['Legacy JSON'])
  // So few at once are never refused, however busy the machine is.
  for (let at = 0; at < 1000; at += 25)
    await Promise.all(
      Array.from({ length: 25 }, async (_, more) => {
        const name = `Operation${at + more}_${'x'.repeat(40)}`
        await (await fetch(`${url}/graphql?query=${operation(name)}`)).arrayBuffer()
      }),
    )
  const { body } = await look(serving)
  const shown = sectionOf(body, 'GraphQL operations')
  expect(shown.match(/unnamed/g)).toHaveLength(20)
  expect(shown).toMatch(/ 9\d\d more rows, 9\d\d times together/)
  expect(body.length).toBeLessThan(60_000)
}, 120_000)

test('sixteen database servers, of which one can be reached', async () => {
  const database = await makeDatabase()
  onTestFinished(() => database.remove())
  const gone = Array.from({ length: 15 }, (_, at) => `postgres://u:p@127.0.0.1:${at + 1}/forum`)
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'silent' }
  expect((await place.run(['migrate'], { env })).status).toBe(0)
  const serving = await start({ ...env, DATABASE_REPLICA_URLS: gone.join() })
  const servers = async () => sectionOf((await look(serving)).body, 'Database')
  await expect.poll(async () => (await servers()).match(/ out since /g)?.length).toBe(15)
  expect(await servers()).toMatch(/:\d+\/\S+ up since /)
  expect(await servers()).toContain('127.0.0.1:15/forum out since')
})

describe('over HTTP', () => {
  test('its headers keep all out that is not its own', async () => {
    const { status, headers, body } = await look(await start())
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept',
      refresh: '5',
    })
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(body).not.toMatch(/<script|style=|\son\w+=|<form|<iframe|src=/)
  })

  test('it can be paused, and details are there to be unfolded then', async () => {
    const serving = await start()
    await (await fetch(serving.shown['Legacy JSON'] ?? '')).text()
    const isDrawn = async () => (await look(serving)).body.includes('Requests a second')
    await expect.poll(isDrawn).toBe(true)
    const running = await look(serving)
    expect(running.body).toContain('<a href="?refresh=off">Pause</a>')
    expect(running.body).not.toContain('<details')
    const paused = await look(serving, { path: '/?refresh=off' })
    expect(paused.headers.refresh).toBeUndefined()
    expect(paused.body).toContain('<a href="./">Refresh automatically</a>')
    expect(paused.body).toContain('<details')
  })

  test('HEAD, other methods, programs, other paths and other hosts', async () => {
    const serving = await start()
    const head = await look(serving, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '', headers: { refresh: '5' } })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await look(serving, { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    const list = { status: 404, body: 'try /live, /ready, /metrics\n' }
    for (const accept of ['*/*', 'application/json', 'text/plain'])
      expect(await look(serving, { headers: { Accept: accept } })).toMatchObject(list)
    for (const path of ['/?', '/?refresh=on', '//', '/./', '/%2e', '/index.html', '/?refresh=off&', '/#'])
      expect(await look(serving, { path }), path).toMatchObject(list)
    const foreign = await look(serving, { headers: { Host: 'rebound.example' } })
    expect(foreign).toMatchObject({ status: 421, body: 'Host not allowed. Add it to ADMIN_HOSTS.\n' })
    for (const path of ['/live', '/ready', '/metrics'])
      expect((await look(serving, { path })).headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test('a crowd is answered by one look', async () => {
    const serving = await start()
    const all = await Promise.all(Array.from({ length: 100 }, () => look(serving)))
    expect(all.map(({ status }) => status)).toEqual(Array(100).fill(200))
    // All of them have the figures of the first.
    expect(new Set(all.map(({ body }) => /<dt>memory<\/dt><dd>(.*?)</.exec(body)?.[1])).size).toBe(1)
  })
})

test('without an admin port there is no page, and the welcome text does not name it', async () => {
  const { shown } = await start({ ADMIN_PORT: 'off' })
  expect(shown.Operations).toBeUndefined()
})
