import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { sample } from '../kit/gateway.ts'
import { serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const start = (env: Readonly<Record<string, string>> = {}, ...flags: string[]) =>
  serve({ cwd: place.path, env }, ...flags)

const html = { headers: { accept: 'text/html,*/*;q=0.8' } }
const get = async (url = 'no address', options: RequestInit = {}) => {
  const response = await fetch(url, options)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('the first start, in an empty folder', () => {
  test('makes lookup.db with sample data, says so, and every address answers', async () => {
    const { shown } = await start()
    expect(shown).toEqual({
      'Legacy JSON': expect.stringMatching(/^http:\/\/localhost:\d+\/\?Event=ProfileLookup&Users=1:2:3$/),
      'Legacy XML': `${shown['Legacy JSON']}&Format=XML`,
      GraphiQL: expect.stringMatching(/^http:\/\/localhost:\d+\/graphql$/),
      Explorer: expect.stringMatching(/^http:\/\/localhost:\d+\/$/),
      Operations: expect.stringMatching(/^http:\/\/localhost:\d+\/$/),
      Readiness: expect.stringMatching(/^http:\/\/localhost:\d+\/ready$/),
      Data: 'lookup.db, just made with sample data',
    })
    const json = await get(shown['Legacy JSON'])
    expect(json).toMatchObject({ status: 200, type: 'application/json; charset=utf-8' })
    expect(Object.keys(JSON.parse(json.text))).toEqual(['1', '2', '3'])
    expect(await get(shown['Legacy XML'])).toMatchObject({
      status: 200,
      text: expect.stringContaining('<ServiceAPI>'),
    })
    expect(await get(shown.GraphiQL, html)).toMatchObject({
      status: 200,
      text: expect.stringContaining('GraphiQL'),
    })
    expect(await get(shown.Explorer, html)).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    const operations = await get(shown.Operations, html)
    expect(operations).toMatchObject({ status: 200, text: expect.stringContaining('Lookups are answered') })
    expect(await get(shown.Readiness)).toMatchObject({ status: 200, text: 'ready\n' })
    expect(existsSync(join(place.path, 'lookup.db'))).toBe(true)
  })

  test('says what answers are compared with, and how many', async () => {
    const url = 'http://127.0.0.1:9/'
    const shadowed = async (sample: string) => {
      const { shown } = await start({ SHADOW_URL: url, SHADOW_SAMPLE: sample })
      return shown.Compared
    }
    expect(await shadowed('0.015')).toBe(`with ${url}: 1.5 % of the answers, 20 a second at most`)
    expect(await shadowed('0')).toBe(`with ${url}: none of the answers, see SHADOW_SAMPLE`)
  })

  test('is not ready when the file is gone, and tells the operator why', async () => {
    const { shown } = await start()
    renameSync(join(place.path, 'lookup.db'), join(place.path, 'gone.db'))
    await expect
      .poll(() => get(shown.Readiness))
      .toMatchObject({
        status: 503,
        text: expect.stringMatching(
          /^not ready: lookup\.db is missing\. Put a database in its place\. .* previous data\.\n$/,
        ),
      })
    expect((await get(shown['Legacy JSON'])).status).toBe(200)
  })

  test('the second start uses what is there', async () => {
    const { shown: first, stop } = await start()
    expect(first.Data).toContain('sample data')
    await stop()
    const { shown } = await start()
    expect(shown.Data).toBe('lookup.db')
    expect(await place.ids('apps')).toHaveLength(7)
  })
})

describe('over an old service', () => {
  const dataOver = async (url: string, env = {}) => (await start({ DATABASE_URL: url, ...env })).shown.Data
  const check = 'Check DATABASE_URL and the old service.'
  const failed = `a lookup failed ("store-failed" in the log). ${check}`

  test('says nothing where it answers', async () => {
    const { url, close } = await startAnswering((_, response) => response.end('{}'))
    onTestFinished(close)
    expect(await dataOver(url)).toBe(`the old service at ${url}`)
  })

  test('says that it is down, and serves all the same: it may come back', async () => {
    const { url, close } = await startAnswering((_, response) => response.end('{}'))
    await close()
    expect(await dataOver(url)).toBe(`the old service at ${url}: ${failed}`)
  })

  test('says that it answers something else', async () => {
    const { url, close } = await startAnswering((_, response) => response.writeHead(404).end('<p>no'))
    onTestFinished(close)
    expect(await dataOver(url)).toBe(`the old service at ${url}: ${failed}`)
  })

  test('waits for two seconds at most where it takes the connection and sends nothing', async () => {
    let isAsked = false
    const { url, close } = await startAnswering((request) => {
      isAsked = true
      request.on('close', () => {
        isAsked = false
      })
    })
    onTestFinished(close)
    const data = await dataOver(url, { DATABASE_TIMEOUT: '30000' })
    expect(data).toBe(`the old service at ${url}: it has not answered a lookup for 2 s. ${check}`)
    // Its 30 s are not over.
    expect(isAsked).toBe(true)
  })
})

describe('an end', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)(
    'by %s exits 0, with JSON lines on stderr only',
    async (signal) => {
      const { stop } = await start()
      const { status, stdout, stderr } = await stop(signal)
      expect(status).toBe(0)
      expect(stdout).toMatch(/^Lookup Service is running\. Ctrl\+C stops it\.\n/)
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(lines.map(({ type }) => type)).toEqual(['started', 'stopping', 'stopped'])
      expect(lines[1]).toMatchObject({ level: 'info', reason: signal })
    },
  )

  test('an idle connection that is kept alive does not hold it up', async () => {
    const { shown, stop } = await start()
    await get(shown.Explorer)
    const started = performance.now()
    expect(await stop()).toMatchObject({ status: 0 })
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('pages that are switched off are not shown', () => {
  test('GRAPHIQL=off EXPLORER=off ADMIN_PORT=off', async () => {
    const { shown } = await start({ GRAPHIQL: 'off', EXPLORER: 'off', ADMIN_PORT: 'off' })
    expect(Object.keys(shown)).toEqual(['Legacy JSON', 'Legacy XML', 'GraphQL', 'Data'])
    expect((await get(shown.GraphQL, html)).text).not.toContain('<html')
    expect((await get(shown['Legacy JSON']?.split('?')[0], html)).status).toBe(400)
  })
})

describe('a database that the operator chose', () => {
  test('is never made, and its absence is one line', async () => {
    await expect(start({ DATABASE_URL: 'sqlite:other.db' })).rejects.toThrow(
      /^There is no database other\.db\. Create an empty one with "lookup migrate", or correct DATABASE_URL\.\n$/,
    )
    await expect(start({}, '--database', 'sqlite:lookup.db')).rejects.toThrow(
      /^There is no database lookup\.db\./,
    )
    expect(existsSync(join(place.path, 'other.db'))).toBe(false)
    expect(existsSync(join(place.path, 'lookup.db'))).toBe(false)
  })

  test('is served as it is, empty too, which is said until it has rows', async () => {
    const database = ['--database', 'sqlite:other.db'] as const
    await place.run(['migrate', ...database])
    const { shown, stop } = await start({}, ...database)
    const users = '"lookup import users FILE"'
    const empty = `0 users, 0 apps. Fill it with ${users} and "lookup import apps FILE".`
    expect(shown.Data).toBe(`other.db: ${empty}`)
    expect(await get(shown['Legacy JSON'])).toMatchObject({ status: 200, text: '{}' })
    expect(await get(shown.Readiness)).toMatchObject({ status: 200, text: `ready\ndatabase: ${empty}\n` })
    expect(await place.run(['import', 'apps', sample.apps, ...database])).toMatchObject({ status: 0 })
    await expect
      .poll(() => get(shown.Readiness))
      .toMatchObject({ status: 200, text: `ready\ndatabase: 0 users. Fill it with ${users}.\n` })
    expect(await place.run(['import', 'users', sample.users, ...database])).toMatchObject({ status: 0 })
    await expect.poll(() => get(shown.Readiness)).toMatchObject({ status: 200, text: 'ready\n' })
    const { stderr } = await stop()
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ type }) => type === 'database-empty')).toMatchObject([
      { level: 'warn', database: 'other.db', reason: empty },
      { level: 'warn', database: 'other.db', reason: `0 users. Fill it with ${users}.` },
    ])
  })

  test('that is none is named in one line', async () => {
    place.write('text.db', 'text\n'.repeat(1000))
    await expect(start({ DATABASE_URL: 'sqlite:text.db' })).rejects.toThrow(
      /^.*text\.db.*not a database.*\n$/,
    )
  })
})

test('settings come from flags, then the environment, then .env', async () => {
  place.write('.env', 'LEGACY_SERVICE_NAME=File\nLEGACY_MAX_VALUES=2\nLOG_LEVEL=silent\n')
  const { shown, stop } = await start({ LEGACY_SERVICE_NAME: 'Environment', PORT: '1' }, '--port', '0')
  expect((await get(shown['Legacy XML'])).text).toContain('<EnvironmentAPI><Error><Code>TooManyValues<')
  expect((await stop()).stderr).toBe('')
})
