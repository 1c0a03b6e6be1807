// Failures of the database: the response says so, without details, until they end.

import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../kit/gateway.ts'
import { legacyFailures } from '../kit/legacy-failures.ts'
import { expectNoSecrets } from '../kit/secrets.ts'
import { ask, contentTypes, type FormatName, inFormat, type RequestOptions } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { APP, ID, NAME, type Settings } from './support/rows.ts'

const METHOD = 'MethodOfAccessingUserInformation'

async function start(settings: Settings = {}) {
  const gateway = await startGateway(settings)
  const database = new DatabaseSync(gateway.database.path)
  onTestFinished(async () => {
    database.close()
    await gateway.close()
  })
  const lookUp = (query: string, format: FormatName, asking?: RequestOptions) =>
    ask(gateway.url, inFormat(query, format), asking)
  return { ...gateway, lookUp, run: (sql: string) => database.exec(sql) }
}

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test('a table that is gone is 503 until it is back; the other table has responses', async () => {
    const { lookUp, run } = await start()
    const before = await lookUp(`${ID}1:2`, format)
    run('ALTER TABLE users RENAME TO gone')
    // An unknown value is no miss then.
    for (const query of [`${ID}1:2`, `${NAME}ada`, `${ID}999999`]) {
      const reply = await lookUp(query, format)
      expect([reply.status, refusalIn(reply, format).code]).toEqual([503, 'Unavailable'])
      expect(reply.headers).toMatchObject({
        'content-type': contentTypes[format],
        'retry-after': expect.stringMatching(/^[1-9]\d*$/),
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      })
    }
    expect((await lookUp(`${ID}x`, format)).status).toBe(400)
    expect((await lookUp(`${APP}1`, format)).status).toBe(200)
    run('ALTER TABLE gone RENAME TO users; DROP TABLE apps')
    expect((await lookUp(`${APP}1`, format)).status).toBe(503)
    expect(await lookUp(`${ID}1:2`, format)).toMatchObject({ status: 200, body: before.body })
  })

  test.for<[relation: string, column: string, sql: string, query: string]>([
    ['users', 'rank', 'UPDATE users SET rank = 2147483648 WHERE id = 1', `${ID}1:2`],
    ['apps', 'category', 'UPDATE apps SET category = -2147483649 WHERE id = 1', `${APP}1`],
    ['users', 'join_date', 'UPDATE users SET join_date = 9007199254740992 WHERE id = 1', `${ID}1:2`],
    ['users', 'id', 'UPDATE users SET id = 9007199254740993 WHERE id = 1', `${NAME}ada`],
    ['users', 'rank', "UPDATE users SET rank = 'high' WHERE id = 1", `${ID}1:2`],
  ])('a row of %s with a bad %s is 500: %s', async ([relation, column, sql, query]) => {
    const { lookUp, run, observations } = await start()
    run(sql)
    const [reply, other] = await Promise.all([lookUp(query, format), lookUp(`${ID}3:4`, format)])
    expect([reply.status, other.status]).toEqual([500, 200])
    expect(refusalIn(reply, format)).toEqual({
      code: 'Internal',
      message: 'Internal error. The server log has the reason, under the X-Request-Id of this response.',
    })
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(reply.headers['retry-after']).toBeUndefined()
    const requestId = reply.headers['x-request-id']
    expect(requestId).toMatch(/^[\w-]{8,}$/)
    const about = expect.objectContaining({ outcome: 'Internal' })
    expect(observations).toContainEqual(expect.objectContaining({ type: 'request', requestId, about }))
    const refused = { type: 'rows-refused', relation, column, count: 1 }
    expect(observations).toContainEqual(expect.objectContaining(refused))
  })

  test.for<[status: number, outage: number, limited: number]>([
    [200, 200, 200],
    // A client may retry 503 and 429, which it would not do with a status of its own.
    [404, 503, 429],
  ])('with errors.status %i, an outage is %i', async ([status, outage, limited]) => {
    const { lookUp, run } = await start({ 'errors.status': status, RATE_LIMIT: '10' })
    expect((await lookUp('Event=Nope', format)).status).toBe(status)
    expect((await lookUp('', format, { method: 'POST' })).status).toBe(status)
    run('DROP TABLE users')
    const reply = await lookUp(`${ID}1`, format)
    expect(reply).toMatchObject({ status: outage, headers: { 'retry-after': expect.any(String) } })
    expect(refusalIn(reply, format).code).toBe('Unavailable')
    await lookUp(`${APP}1:2:3:4:5:6:7:8:9:10:11`, format)
    expect((await lookUp(`${APP}1`, format)).status).toBe(limited)
  })
})

/** Requests that fail, by the code of the error. */
const failing: readonly [code: string, query: string, asking?: RequestOptions, sql?: string][] = [
  ['MissingParameter', ''],
  ['RepeatedParameter', `${ID}1&Users=1`],
  ['UnknownEvent', 'Event=Nope'],
  ['UnknownMethod', `${ID}1&${METHOD}=x`],
  ['UnknownFormat', `${ID}1&Format=YAML`],
  ['MalformedIdentifier', `${ID}x`],
  ['TooManyValues', `${ID}1:2:3:4`],
  ['ResponseTooLarge', `${ID}1:2`, {}, "UPDATE users SET display_name = printf('%.600c', 'x')"],
  ['MalformedQuery', '%'],
  ['MethodNotAllowed', ID, { method: 'POST' }],
  ['MalformedHost', `${ID}1`, { headers: { host: '[' } }],
  ['TooLongTarget', ID + '1'.repeat(70_000)],
  ['Internal', `${ID}1`, {}, 'UPDATE users SET rank = 5000000000'],
  ['Unavailable', `${ID}1`, {}, 'DROP TABLE users'],
  ['TooManyRequests', `${APP}1`],
]

const details = new RegExp(
  String.raw`\b(?:select|insert|join|json_each|table|column|statement|errno|undefined|NaN|Int cannot)\b|` +
    String.raw`/(?:tmp|home|root|usr|var|etc)\b|\.db\b|file:|localhost|127\.0\.0\.1|${hostname()}`,
  'i',
)

test('no error carries SQL, a path, a stack or a host name', async () => {
  for (const [code, query, asking, sql] of failing) {
    const isLimited = code === 'TooManyRequests'
    const limits = { LEGACY_MAX_VALUES: '3', MAX_RESPONSE_BYTES: '1024' }
    const { lookUp, run } = await start(isLimited ? { RATE_LIMIT: '1' } : limits)
    if (isLimited) await lookUp(query, 'JSON')
    if (sql !== undefined) run(sql)
    const formats = code === 'UnknownFormat' ? (['JSON'] as const) : (['JSON', 'XML'] as const)
    for (const format of formats) {
      const { headers, body } = await lookUp(query, format, asking)
      const sent = JSON.stringify(headers) + body
      expect(body).toContain(code)
      expect.soft(sent, code).not.toMatch(details)
      expectNoSecrets(sent, code)
    }
  }
  const codes = new Set([...failing.map(([code]) => code), 'Overloaded'])
  expect([...codes].toSorted()).toEqual([...legacyFailures].toSorted())
})
