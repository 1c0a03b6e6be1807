// `lookup serve`: its welcome text, its database, and its admin port.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { startServe } from '../kit/served.ts'
import { holdPort } from '../kit/serving.ts'
import { test } from '../kit/test.ts'
import { parsePrometheus } from '../observe/prometheus.ts'
import { change } from '../stores/sqlite/support.ts'

type Settings = Readonly<Record<string, string>>

const home = process.cwd()

/** Starts the gateway in a folder, without DATABASE_URL, until the end of the test. */
async function startIn(folder: string, settings: Settings = {}) {
  process.chdir(folder)
  onTestFinished(() => process.chdir(home))
  const served = await startServe({ DATABASE_URL: '', ...settings }, folder)
  onTestFinished(served.stop)
  return served
}

const html = { headers: { accept: 'text/html,*/*;q=0.8' } }
const get = async (url = 'no address', options: RequestInit = {}) => {
  const response = await fetch(url, options)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('the first start, in an empty folder', () => {
  test('makes lookup.db with sample data, and each address of the welcome text answers', async ({
    place,
  }) => {
    const { shown, stop } = await startIn(place.path)
    expect(shown).toEqual({
      'Legacy JSON': expect.stringMatching(/^http:\/\/localhost:\d+\/\?Event=ProfileLookup&Users=1:2:3$/),
      'Legacy XML': `${shown['Legacy JSON']}&Format=XML`,
      GraphiQL: expect.stringMatching(/^http:\/\/localhost:\d+\/graphql$/),
      Explorer: expect.stringMatching(/^http:\/\/localhost:\d+\/$/),
      Operations: expect.stringMatching(/^http:\/\/localhost:\d+\/$/),
      Readiness: expect.stringMatching(/^http:\/\/localhost:\d+\/ready$/),
      Data: 'lookup.db, just made with sample data',
    })
    expect((await get(shown['Legacy JSON'])).text).toMatch(/^\{"1":.*"2":.*"3":/)
    expect((await get(shown['Legacy XML'])).text).toContain('<ServiceAPI>')
    expect((await get(shown.GraphiQL, html)).text).toContain('GraphiQL')
    expect(await get(shown.Explorer, html)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    expect((await get(shown.Operations, html)).text).toContain('Lookups are answered')
    expect(await get(shown.Readiness)).toMatchObject({ status: 200, text: 'ready\n' })
    await stop()
    expect((await startIn(place.path)).shown.Data).toBe('lookup.db')
    expect(await place.ids('apps')).toHaveLength(7)
  })
})

describe('over an old service', () => {
  const check = 'Check DATABASE_URL and the old service.'
  const failed = `: a lookup failed ("store-failed" in the log). ${check}`

  test.for([
    ['answers', '', (_, response) => response.end('{}')],
    ['is down: it may come back', failed, ({ socket }) => socket.destroy()],
    ['is something else', failed, (_, response) => response.writeHead(404).end('<p>no')],
    // DATABASE_TIMEOUT is longer.
    ['sends nothing', `: it has not answered a lookup for 2 s. ${check}`, () => {}],
  ] as const satisfies readonly (readonly [string, string, Parameters<typeof startAnswering>[0]])[])(
    'it starts, and says what is wrong where that %s',
    async ([, problem, answer], { place }) => {
      const old = await startAnswering(answer)
      onTestFinished(old.close)
      const { shown } = await startIn(place.path, { DATABASE_URL: old.url, DATABASE_TIMEOUT: '10000' })
      expect(shown.Data).toBe(`the old service at ${old.url}${problem}`)
    },
  )
})

describe('a database that the operator chose', () => {
  test.for([
    ['in the environment', 'other.db', []],
    ['by a flag', 'lookup.db', ['--database', 'sqlite:lookup.db']],
  ] as const)('is never made: %s', async ([, file, flags], { place }) => {
    const env: Settings = flags.length === 0 ? { DATABASE_URL: `sqlite:${file}` } : {}
    const advice = 'Create an empty one with "lookup migrate", or correct DATABASE_URL.'
    expect(await place.run(['serve', ...flags], { env })).toEqual({
      ...{ status: 1, stdout: '', stderr: `There is no database ${file}. ${advice}\n` },
    })
    expect(existsSync(join(place.path, file))).toBe(false)
  })

  test.for([
    ['CUTOVER_URL', 'http://127.0.0.1:9/'],
    ['SHADOW_URL', 'http://127.0.0.1:9/'],
    ['LEGACY_DIALECT', 'old.json'],
  ] as const)(
    'is required with %s: clients of an old service must not get sample data',
    async ([name, value], { place }) => {
      place.write('old.json', '{}')
      const env = { [name]: value, DATABASE_URL: '' }
      const advice = 'Set DATABASE_URL to the database, such as sqlite:lookup.db, or to the old service.'
      const stderr = `${name} is set, and DATABASE_URL is not: clients could get sample data. ${advice}\n`
      expect(await place.run(['serve'], { env })).toEqual({ status: 2, stdout: '', stderr })
      expect(existsSync(join(place.path, 'lookup.db'))).toBe(false)
      // The first start of a newcomer has left a file with sample data.
      await place.run(['migrate'])
      expect(await place.run(['serve'], { env })).toEqual({ status: 2, stdout: '', stderr })
    },
  )

  test('is served though it is empty, which is said', async ({ place }) => {
    await place.run(['migrate'])
    const { shown } = await startIn(place.path)
    const commands = '"lookup import users FILE" and "lookup import apps FILE"'
    const empty = `0 users, 0 apps. Fill it with ${commands}.`
    expect(shown.Data).toBe(`lookup.db: ${empty}`)
    expect(await get(shown['Legacy JSON'])).toMatchObject({ status: 200, text: '{}' })
    expect((await get(shown.Readiness)).text).toBe(`ready\ndatabase: ${empty}\n`)
  })
})

describe('the admin port', () => {
  const paths = ['/live', '/ready', '/metrics'] as const

  test('is ready while the data can be reached, is live always, and counts', async ({ place }) => {
    const { url, admin } = await startIn(place.path)
    const lookup = () => get(`${url}/?Event=ProfileLookup&Users=1`)
    const statuses = () => Promise.all(paths.map(async (path) => (await get(admin + path)).status))
    await lookup()
    expect(await statuses()).toEqual([200, 200, 200])
    const metrics = parsePrometheus((await get(`${admin}/metrics`)).text)
    expect(metrics.get('lookup_requests_total{event="ProfileLookup",format="JSON",outcome="ok"}')).toBe(1)
    change(join(place.path, 'lookup.db'), 'ALTER TABLE users RENAME TO gone')
    expect(await statuses()).toEqual([200, 503, 200])
    expect(await lookup()).toMatchObject({ status: 503, text: expect.stringContaining('"Unavailable"') })
    change(join(place.path, 'lookup.db'), 'ALTER TABLE gone RENAME TO users')
    expect(await statuses()).toEqual([200, 200, 200])
  })
})

describe('a port that is taken', () => {
  test.for(['PORT', 'ADMIN_PORT'] as const)('is one line and exit 1: %s', async (name, { place }) => {
    const { port, release } = await holdPort()
    onTestFinished(release)
    const env = { PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', [name]: String(port) }
    const refused = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`
    expect(await place.run(['serve'], { env })).toEqual({
      status: 1,
      stdout: '',
      stderr: `Cannot listen (${refused}): the port is already in use. Stop the program that uses it, or choose another ${name}.\n`,
    })
  })

  test('is a warning if it is the default of the admin port', async ({ place }) => {
    const { release } = await holdPort(4001)
    onTestFinished(release)
    const { url, shown, log } = await startIn(place.path, { ADMIN_PORT: '' })
    expect(Object.keys(shown)).not.toContain('Readiness')
    expect((await get(`${url}/?Event=ProfileLookup&Users=1`)).status).toBe(200)
    const skipped = () => log().filter(({ type }) => type === 'admin-skipped')
    await expect.poll(skipped).toMatchObject([{ level: 'warn', reason: expect.stringContaining('4001') }])
  })
})
