// The page for operators at `/` of the admin port.

import { hash } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { createMetrics } from '../../src/observe/metrics.ts'
import { ServerTimes } from '../../src/operations/history.ts'
import { openOperatorPage } from '../../src/operations/page.ts'
import { startAnswering } from '../kit/answering.ts'
import { look, plain, sectionOf } from './look.ts'
import { test } from './serving.ts'

const found = '/?Event=ProfileLookup&Users=1'

test('before any request, it is ready, and sections without content are left out', async ({ start }) => {
  const { body } = await look(await start())
  expect(plain(body)).toMatch(/Ready\. Lookups are answered\. In every check since 20\d\d-[\d-]+ [\d:]+ UTC/)
  expect(plain(body)).toMatch(/Version \d\S+, running since .* UTC \. Processes that answer: 1 of 1\./)
  expect(sectionOf(body, 'Traffic')).toBe('No requests yet.')
  for (const title of ['Errors', 'Database servers', 'The dial', 'Compared with the old service'])
    expect(sectionOf(body, title)).toBe('')
})

test('an empty database is named, with what to do', async ({ place, start }) => {
  const env = { DATABASE_URL: `sqlite:${place.path}/empty.db` }
  expect((await place.run(['migrate'], { env })).status).toBe(0)
  expect(plain((await look(await start(env))).body)).toContain(
    'Ready. Lookups are answered, but the database has 0 users, 0 apps. Fill it with ' +
      '&quot;lookup import users FILE&quot; and &quot;lookup import apps FILE&quot;.',
  )
})

test('it shows traffic, errors with what to do, and charts', async ({ start }) => {
  const served = await start()
  const users = `/graphql?query=${encodeURIComponent('{ users(values: ["1"]) { username } }')}`
  for (const target of [...Array(3).fill(`${found}:2&Format=XML`), '/elsewhere', users])
    await (await fetch(served.url + target)).text()
  const { body } = await look(served)
  expect(sectionOf(body, 'Traffic')).toMatch(/ProfileLookup XML ok 3 .*graphql JSON ok 1/)
  expect(sectionOf(body, 'Errors')).toContain('NotFound 1 1 Paths that do not exist.')
  // A process has no rate in its first second.
  await expect
    .poll(async () => sectionOf((await look(served)).body, 'The last 15 minutes'))
    .toMatch(/Requests a second .* requests\/s .* 99th percentile of the latency .* ms/)
})

test('database servers are up or out, since a time', async () => {
  const [counting, serverTimes] = [createMetrics(), new ServerTimes()]
  const observe: typeof counting.observe = (observation) => {
    counting.observe(observation)
    serverTimes.note(observation)
  }
  const { show } = openOperatorPage({
    count: async () => {
      const counted = [await counting.read({ inFlight: 0, storeReady: null })]
      return { counted, wanted: 1, listening: 1, silent: 0 }
    },
    readiness: async () => ({ reason: null, since: '2026-11-26T10:00:00.000Z' }),
    whatIsEmpty: async () => null,
    notes: () => [],
    isStandIn: () => false,
    database: () => 'db.example/lookup',
    serverTimes,
    migration: async () => [],
  })
  const servers = async () => sectionOf((await show('localhost', true))[1], 'Database servers')
  observe({ type: 'server-known', server: 'a.example:5432/lookup' })
  observe({ type: 'server-out', server: 'b.example:5432/lookup', reason: 'it is gone' })
  expect(await servers()).toMatch(
    /a\.example:5432\/lookup up since 20.* b\.example:5432\/lookup out since 20/,
  )
})

describe('leaving an old service', () => {
  const startOld = async (response: string) => {
    const old = await startAnswering((_request, answer) => void answer.end(response))
    onTestFinished(old.close)
    return old.url
  }

  test('the dial: its share, how to set it, and which side has responded', async ({ start }) => {
    const served = await start({ CUTOVER_URL: await startOld('{}'), CUTOVER_GUARD: 'off' })
    const dial = async () => sectionOf((await look(served)).body, 'The dial')
    const shown = await dial()
    expect(shown).toContain('The gateway answers 0.00 % of the legacy clients')
    expect(shown).toContain('The guard is off.')
    // Printed for a shell: the page has no form.
    const [, address = ''] = /Set it: curl -X PUT '(.*?)share=0\.1'/.exec(shown) ?? []
    expect(address).toBe(`${served.admin}/cutover?`)
    await fetch(`${address}share=1`, { method: 'PUT' })
    await (await fetch(served.url + found)).text()
    await expect.poll(dial).toContain('clients of the gateway: 1 answered, 0 answered by the other side')
    expect(await dial()).toContain('The gateway answers 100.00 % of the legacy clients')
  })

  test('differences, and the guard that has turned the dial back', async ({ start }) => {
    const old = await startOld('{"1":{"Id":2,"ZQ7":"zq7"}}')
    const served = await start({
      ...{ CUTOVER_URL: old, CUTOVER_SHARE: '1', CUTOVER_GUARD: '0', TRUSTED_PROXIES: 'loopback' },
      ...{ SHADOW_URL: old, SHADOW_SAMPLE: '1' },
    })
    const read = async (title: string) => sectionOf((await look(served)).body, title)
    expect(await read('Compared with the old service')).toContain('No response was compared yet.')
    for (const client of [1, 2, 3]) {
      const headers = { 'X-Forwarded-For': `10.0.0.${client}` }
      await (await fetch(served.url + found, { headers })).text()
    }
    await expect
      .poll(() => read('The dial'))
      .toMatch(
        /back from 1 to 0 at .*: 3 of 3 compared responses differed or failed for ProfileLookup, for 3 of 3 clients/,
      )
    await expect
      .poll(() => read('Compared with the old service'))
      .toContain('Another meaning: 3 of 3 compared responses.')
    const { body } = await look(served)
    expect(plain(body.split('<main>')[0] ?? '')).toContain('cutover: turned back from 1 to 0')
    expect(body).not.toMatch(/zq7/i)
  })
})

describe('over HTTP', () => {
  test('its headers allow its own style and nothing else', async ({ start }) => {
    const { status, headers, body } = await look(await start())
    const style = /<style>(.*?)<\/style>/s.exec(body)?.[1] ?? ''
    expect([status, headers]).toMatchObject([
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        vary: 'Accept',
        refresh: '5',
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      },
    ])
    expect(body).not.toMatch(/<script|style=|\son\w+=|<form|<iframe|src=/)
  })

  test('paused, HEAD, other methods, programs, other paths and other hosts', async ({ start }) => {
    const served = await start()
    const paused = await look(served, { path: '/?refresh=off' })
    expect(paused.headers.refresh).toBeUndefined()
    expect(paused.body).toContain('<a href="./">Refresh automatically</a>')
    const head = await look(served, { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '', headers: { refresh: '5' } })
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await look(served, { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    const list = { status: 404, body: 'try /live, /ready, /metrics\n' }
    expect(await look(served, { headers: { Accept: '*/*' } })).toMatchObject(list)
    for (const path of ['/?', '/?refresh=on', '//', '/./', '/index.html'])
      expect(await look(served, { path }), path).toMatchObject(list)
    const foreign = await look(served, { headers: { Host: 'rebound.example' } })
    expect(foreign).toMatchObject({ status: 421, body: 'Host not allowed. Add it to ADMIN_HOSTS.\n' })
  })

  test('a hundred operators share a few looks, and lookups go on', async ({ start }) => {
    const served = await start()
    const hundred = Array.from({ length: 100 })
    const [looks, lookups] = await Promise.all([
      Promise.all(hundred.map(() => look(served))),
      Promise.all(hundred.map(async () => (await fetch(served.url + found)).status)),
    ])
    expect(new Set([...looks.map(({ status }) => status), ...lookups])).toEqual(new Set([200]))
    expect(new Set(looks.map(({ body }) => sectionOf(body, 'Traffic'))).size).toBeLessThan(10)
  })
})
