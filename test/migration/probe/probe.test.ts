// `lookup probe`: its report, the settings that it writes, the number of its requests, and how it ends.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect } from 'vitest'
import { createEagerClock } from '../../kit/clock.ts'
import { test } from '../../kit/test.ts'
import { plain, probe, startOdd, startTwin, usual } from './support.ts'

describe('the report', () => {
  test('has the settings of the service, and no others', async ({ place }) => {
    const old = await startTwin()
    const clock = createEagerClock()
    const { stdout, stderr } = await probe(place, old.url, ['--chats', 'chat-1001'], { clock, env: {} })
    // A busy machine may need a longer timeout.
    const { DATABASE_TIMEOUT: _, ...advised } = parseEnv(stdout)
    expect(advised).toEqual(plain)
    expect(stdout).toMatch(/^# method chat, chat-1001 +found +same$/m)
    expect(stderr).toContain('at most 150 requests, 5 per second, one at a time, timeout 10 s.')
    const sent = Number(/(\d+) requests sent/.exec(stdout)?.[1])
    expect(sent).toBeLessThan(115)
    // Five a second.
    expect(clock.now()).toBeGreaterThanOrEqual((sent - 1) * 200)
  })

  test('says which settings fix a difference, and compares with the settings in force', async ({ place }) => {
    const old = await startTwin({ unknown: 'null', serviceName: 'Acme' })
    const unset = await probe(place, old.url, [], { env: {} })
    expect(unset.row('only an unknown id')).toMatch(/as null +empty response +fixed by LEGACY_UNKNOWN$/)
    expect(unset.row('only a word')).toMatch(/fixed by LEGACY_MALFORMED, LEGACY_UNKNOWN$/)
    expect(unset.row('fields of an app')).toMatch(/^AcmeDownloadLink.* fixed by LEGACY_SERVICE_NAME$/)
    const env = { ...plain, LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Acme' }
    const set = await probe(place, old.url, [], { env })
    expect(set.row('only an unknown id')).toMatch(/as null +same$/)
    expect(set.row('fields of an app')).toMatch(/same$/)
  })

  test('of another gateway says that nothing differs', async ({ place, withSettings }) => {
    const expected = {
      ...{ LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Acme', LEGACY_TEXT_ESCAPES: 'compat-json' },
      ...{ LEGACY_JSON_FLAGS: 'numeric-check,pretty', LEGACY_BOOLEANS: 'strval', LEGACY_XML_STYLE: 'dom' },
    }
    const { url } = await withSettings(expected)
    const args = ['--chats', 'chat-1001', '--json', 'probe.json', '--html', 'probe.html']
    const { stdout, settings } = await probe(place, `${url}/`, args, { env: {} })
    expect(settings).toMatchObject(expected)
    expect(stdout).toContain('# With these settings, no tested behaviour differs.\n')
    expect(stdout).toContain('# With these settings, the gateway responds like the old service:\n')
    const report = JSON.parse(readFileSync(join(place.path, 'probe.json'), 'utf8'))
    expect(report).toMatchObject({ url: `${url}/`, promise: 'alike', advice: parseEnv(stdout) })
    expect(report.bytes.same).toBe(report.bytes.compared)
    const page = readFileSync(join(place.path, 'probe.html'), 'utf8')
    expect(page).toContain('LEGACY_UNKNOWN=null')
    expect(page).toContain('fixed by LEGACY_UNKNOWN')
    expect(page).not.toContain('<script')
  })

  test.for([
    { LEGACY_TEXT_ESCAPES: 'html', LEGACY_XML_STYLE: 'plain', LEGACY_JSON_FLAGS: 'hex-amp' },
    { LEGACY_JSON_FLAGS: 'unescaped-unicode,unescaped-slashes', LEGACY_BOOLEANS: 'integer,strval' },
    { LEGACY_JSON_FLAGS: 'hex-tag,hex-amp,hex-apos,hex-quot', LEGACY_XML_STYLE: 'xmlwriter' },
  ])('finds rows that show the escapes: %j', async (expected, { place, withSettings }) => {
    const { url } = await withSettings(expected)
    expect((await probe(place, `${url}/`, ['--users', '3'], { env: {} })).settings).toMatchObject(expected)
  })

  test('is about users and apps that exist', async ({ place }) => {
    const old = await startTwin()
    const { status, stderr } = await probe(place, old.url, ['--users', '77'])
    expect(status).toBe(1)
    expect(stderr).toContain(
      `Cannot probe ${old.url}. It has none of the users 77. Pass existing ids with --users.`,
    )
    expect((await probe(place, old.url, ['--apps', ''])).stdout).not.toContain('fields of an app')
  })

  test('advises a timeout for a slow service', async ({ place }) => {
    const old = await startOdd((asked, response) => {
      const [status, type, body] = usual(asked)
      const end = () => void response.writeHead(status, { 'Content-Type': type }).end(body)
      setTimeout(end, asked.number === 9 ? 400 : 0)
      return null
    })
    const { settings, stdout } = await probe(place, old.url, ['--apps', ''])
    expect(Number(/slowest response took (\d+) ms/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(390)
    expect(Number(settings.DATABASE_TIMEOUT)).toBeGreaterThanOrEqual(1500)
  })
})

describe('--write', () => {
  test('keeps the other lines of the file', async ({ place }) => {
    const old = await startTwin({ unknown: 'null' })
    place.write('.env', 'PORT=4100\nLEGACY_UNKNOWN=omit # old\nLEGACY_UNKNOWN=omit\n# a comment')
    const env = { ...plain, LEGACY_REPEATED: 'first' }
    const { status, stderr } = await probe(place, old.url, ['--write', '.env'], { env })
    expect(status).toBe(0)
    expect(stderr).toMatch(/Environment variables override the file: .*LEGACY_REPEATED.*\. Unset them\./)
    const written = readFileSync(join(place.path, '.env'), 'utf8')
    expect(written).toMatch(/^PORT=4100\nLEGACY_UNKNOWN=null\n# a comment\n/)
    expect(parseEnv(written)).toMatchObject({
      PORT: '4100',
      LEGACY_UNKNOWN: 'null',
      LEGACY_MAX_VALUES: '10000',
    })
  })

  test('changes no file with values of several lines', async ({ place }) => {
    const old = await startTwin()
    const content = 'DATABASE_URL="sqlite:x\nLEGACY_PATHS=/\ny"\n'
    place.write('.env', content)
    const { status, stderr } = await probe(place, old.url, ['--write', '.env'])
    expect(status).toBe(1)
    expect(stderr).toContain('.env was not changed: it has values of several lines.')
    expect(readFileSync(join(place.path, '.env'), 'utf8')).toBe(content)
  })
})

describe('without a request', () => {
  test.for<[string, readonly string[], Readonly<Record<string, string>>, number, string]>([
    [
      'invalid settings in force',
      [],
      { LEGACY_UNKNOWN: 'bogus' },
      2,
      'LEGACY_UNKNOWN (environment) cannot be',
    ],
    [
      'a file that cannot be written',
      ['--write', 'no/such/.env'],
      {},
      1,
      'Cannot write no/such/.env: ENOENT',
    ],
  ])('%s', async ([, args, env, status, message], { place }) => {
    const old = await startOdd(usual)
    const outcome = await probe(place, old.url, args, { env })
    expect(outcome).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(message) })
    expect(old.asked).toEqual([])
  })

  test.for(['http://old.example/?Event=', 'old.example'])('the address %s', async (address, { place }) => {
    const outcome = await probe(place, address)
    expect(outcome).toMatchObject({ status: 2, stdout: '' })
    expect(outcome.stderr).toContain("is invalid for argument 'url'.")
  })
})

describe('a service that cannot be probed', () => {
  test.for([
    [{ failing: true }, /^Cannot probe \S+\. It fails with status 500\. /m],
    [
      { cutting: true },
      /^Cannot probe \S+\. No response: it closed the connection in the middle of its answer\. /m,
    ],
    [
      { movedTo: 'https://elsewhere.example/' },
      /\. It redirects to https:\/\/elsewhere\.example\/: use that address\.\n$/,
    ],
  ] as const)('%j', async ([switches, reason], { place }) => {
    const { status, stdout, stderr } = await probe(place, (await startTwin(switches)).url)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(reason)
  })

  test('because nothing listens', async ({ place }) => {
    const { status, stderr } = await probe(place, 'http://127.0.0.1:1/')
    expect(status).toBe(1)
    expect(stderr).toMatch(/^Cannot probe \S+\. No response: it cannot be reached: .*ECONNREFUSED/m)
  })

  test.for([
    [429, /It limits the request rate \(status 429\)\. Lower --rate\./],
    [503, /It fails with status 503\./],
    [0, /No response: /],
  ] as const)('any more, after 25 requests (%i)', async ([failure, reason], { place }) => {
    const old = await startOdd((asked, response) => {
      if (asked.number <= 25) return usual(asked)
      if (failure === 0) response.destroy()
      else response.writeHead(failure).end()
      return null
    })
    const clock = createEagerClock()
    const outcome = await probe(place, old.url, ['--write', 'settings.env'], { clock })
    expect(outcome).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(reason) })
    // It tries a request that worked before, two seconds later.
    expect(outcome.stderr).toContain('Stopped after 27 requests.')
    expect(old.asked).toHaveLength(27)
    expect(clock.waited.filter((wait) => wait === 2_000)).toHaveLength(1)
    expect(existsSync(join(place.path, 'settings.env'))).toBe(false)
  })
})

test.for(['SIGINT', 'SIGTERM'] as const)(
  '%s ends it at once, and nothing is written',
  async (signal, { place }) => {
    const controller = new AbortController()
    const old = await startOdd((asked) => {
      if (asked.number === 10) controller.abort(signal)
      return usual(asked)
    })
    const args = ['--write', 'settings.env', '--json', 'r.json']
    const outcome = await probe(place, old.url, args, { signal: controller.signal })
    expect(outcome).toMatchObject({ status: signal, stdout: '' })
    expect(outcome.stderr).toContain('Interrupted. Nothing was written.')
    expect(old.asked).toHaveLength(10)
    for (const name of ['settings.env', 'r.json']) expect(existsSync(join(place.path, name))).toBe(false)
  },
)

test('sends at most 150 requests, even if all responses differ and all options are long', async ({
  place,
}) => {
  const targets: string[] = []
  const old = await startOdd(({ target, values }) => {
    if (!targets.includes(target)) targets.push(target)
    const found = values.filter((value) => /^\d+$/.test(value)).slice(0, 700)
    const entries = found.map((id) => [id, { Id: Number(id), Username: `u${id}` }])
    const body = { ...Object.fromEntries(entries), [`n${targets.indexOf(target)}`]: null }
    return [200, 'application/json', JSON.stringify(body)]
  })
  const many = Array.from({ length: 500 }, (_, at) => String(at + 1)).join()
  const args = ['--users', many, '--apps', many, '--chats', many, '--chat-methods', many]
  expect(await probe(place, old.url, args)).toMatchObject({ status: 0 })
  expect(old.asked.length).toBeLessThanOrEqual(150)
  expect(old.asked.length).toBeGreaterThan(40)
})
