// The page for operators at `/` of the admin port, over real gateways.

import { hash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
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
  serve({ cwd: place.path, env: { LOG_LEVEL: 'silent', ...env } }, ...flags)

test('before any request, it says that all is well, and leaves out what has nothing to say', async () => {
  const { body } = await look(await start())
  expect(plain(body)).toMatch(/Ready\. Lookups are answered\. In every check since 20\d\d-[\d-]+ [\d:]+ UTC/)
  expect(plain(body)).toMatch(/Version \d\S+, running since .* UTC \. Processes that answer: 1 of 1\./)
  expect(sectionOf(body, 'Traffic')).toBe('No requests yet.')
  for (const title of ['Errors', 'Database servers', 'The dial', 'Compared with the old service'])
    expect(sectionOf(body, title)).toBe('')
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

test('it shows the traffic of all workers, errors, what to do, and charts', async () => {
  const serving = await start({}, '--workers', '2')
  const get = async (target: string) => (await fetch(originOf(serving.shown['Legacy JSON']) + target)).text()
  for (let time = 0; time < 3; time++) await get('/?Event=ProfileLookup&Users=1:2&Format=XML')
  await get('/elsewhere')
  await get(`/graphql?query=${encodeURIComponent('{ users(values: ["1"]) { username } }')}`)
  const { body } = await look(serving)
  expect(sectionOf(body, 'Traffic')).toMatch(/ProfileLookup XML ok 3 .*graphql JSON ok 1/)
  expect(sectionOf(body, 'Errors')).toContain('NotFound 1 1 Paths that do not exist.')
  await expect
    .poll(async () => sectionOf((await look(serving)).body, 'The last 15 minutes'))
    .toMatch(/Requests a second .* requests\/s .* 99th percentile of the latency .* ms/)
})

test('database servers: which are up and which are out, and since when', async () => {
  const database = await makeDatabase()
  onTestFinished(() => database.remove())
  const gone = ['1', '2'].map((port) => `postgres://u:p@127.0.0.1:${port}/forum`)
  expect((await place.run(['migrate'], { env: { DATABASE_URL: database.url } })).status).toBe(0)
  const serving = await start({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: gone.join() })
  const servers = async () => sectionOf((await look(serving)).body, 'Database servers')
  await expect
    .poll(async () => (await servers()).match(/127\.0\.0\.1:[12]\/forum out since /g)?.length)
    .toBe(2)
  expect(await servers()).toMatch(/:\d+\/\S+ up since 20/)
})

describe('leaving an old service', () => {
  async function startOld(answer: string) {
    const old = await startAnswering((_, response) => void response.end(answer))
    onTestFinished(old.close)
    return old.url
  }

  test('the dial: where it stands, how to set it, and which side has answered', async () => {
    const old = await startOld('{}')
    const serving = await start({ CUTOVER_URL: old, CUTOVER_GUARD: 'off' }, '--workers', '2')
    const dial = async () => sectionOf((await look(serving)).body, 'The dial')
    const said = await dial()
    expect(said).toContain('The gateway answers 0.00 % of the legacy clients')
    expect(said).toContain('The guard is off.')
    // Printed for a shell: the page has no form.
    const [, address = ''] = /Set it: curl -X PUT '(.*?)share=0\.1'/.exec(said) ?? []
    expect(address).toBe(`${originOf(serving.shown.Operations)}/cutover?`)
    await fetch(`${address}share=1`, { method: 'PUT' })
    expect(await dial()).toContain('The gateway answers 100.00 % of the legacy clients')
    await (await fetch(`${originOf(serving.shown['Legacy JSON'])}/?Event=ProfileLookup&Users=1`)).text()
    await expect.poll(dial).toContain('clients of the gateway: 1 answered, 0 answered by the other side')
  })

  test('differences of responses, and the guard that has turned the dial back', async () => {
    const old = await startOld('{"1":{"Id":2,"ZQ7":"zq7"}}')
    const serving = await start({
      ...{ CUTOVER_URL: old, CUTOVER_SHARE: '1', CUTOVER_GUARD: '0' },
      ...{ SHADOW_URL: old, SHADOW_SAMPLE: '1' },
    })
    const read = async (title: string) => sectionOf((await look(serving)).body, title)
    expect(await read('Compared with the old service')).toContain('No response was compared yet.')
    await (await fetch(`${originOf(serving.shown['Legacy JSON'])}/?Event=ProfileLookup&Users=1`)).text()
    await expect
      .poll(() => read('The dial'))
      .toMatch(/turned the dial back from 1 to 0 at .*: 1 of 1 compared responses differed or failed\./)
    await expect
      .poll(() => read('Compared with the old service'))
      .toContain('Another meaning: 1 of 1 compared response.')
    const { body } = await look(serving)
    expect(plain(body.split('<main>')[0] ?? '')).toContain('cutover: turned back from 1 to 0')
    expect(body).not.toMatch(/zq7/i)
  })
})

describe('over HTTP', () => {
  test('its headers allow its own style and nothing else', async () => {
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

  test('paused, HEAD, other methods, programs, other paths and other hosts', async () => {
    const serving = await start()
    const paused = await look(serving, { path: '/?refresh=off' })
    expect(paused.headers.refresh).toBeUndefined()
    expect(paused.body).toContain('<a href="./">Refresh automatically</a>')
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
  })

  test('a crowd is answered by a few looks, while lookups are answered', async () => {
    const serving = await start()
    const url = originOf(serving.shown['Legacy JSON'])
    const [looks, lookups] = await Promise.all([
      Promise.all(Array.from({ length: 100 }, () => look(serving))),
      Promise.all(
        Array.from({ length: 100 }, async () => (await fetch(`${url}/?Event=ProfileLookup&Users=1`)).status),
      ),
    ])
    expect(new Set([...looks.map(({ status }) => status), ...lookups])).toEqual(new Set([200]))
    expect(new Set(looks.map(({ body }) => sectionOf(body, 'Traffic'))).size).toBeLessThan(10)
  })
})

test('without an admin port there is no page, and the welcome text does not name it', async () => {
  const { shown } = await start({ ADMIN_PORT: 'off' })
  expect(shown.Operations).toBeUndefined()
})
