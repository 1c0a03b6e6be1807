// Failures behind the gateway, made for real in its database: they are told as what they are, and they end.

import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, contentTypes, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'

let gateway: Gateway
let database: DatabaseSync
beforeEach(async () => {
  gateway = await startGateway()
  database = new DatabaseSync(gateway.database.path)
})
afterEach(async () => {
  database.close()
  await gateway.close()
})

const users = 'Event=ProfileLookup&Users=1:2'
const apps = 'Event=AppLookup&Apps=1'
const names = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=ada'

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  const lookUp = (query: string) => ask(gateway.url, inFormat(query, format))

  test('a table that is gone is 503 Unavailable until it is back', async () => {
    const before = await lookUp(users)
    database.exec('ALTER TABLE users RENAME TO gone')
    for (const query of [users, names]) {
      const reply = await lookUp(query)
      expect(reply.status).toBe(503)
      expect(refusalIn(reply, format).code).toBe('Unavailable')
      expect(reply.headers['content-type']).toBe(contentTypes[format])
      expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/)
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.headers['access-control-allow-origin']).toBe('*')
    }
    database.exec('ALTER TABLE gone RENAME TO users')
    expect(await lookUp(users)).toMatchObject({ status: 200, body: before.body })
  })

  test('the other table is answered meanwhile', async () => {
    database.exec('ALTER TABLE users RENAME TO gone')
    expect((await lookUp(apps)).status).toBe(200)
    database.exec('ALTER TABLE gone RENAME TO users; DROP TABLE apps')
    expect((await lookUp(apps)).status).toBe(503)
    expect((await lookUp(users)).status).toBe(200)
  })

  test('an outage is no miss, even for values that match nothing', async () => {
    database.exec('DROP TABLE users')
    expect(refusalIn(await lookUp('Event=ProfileLookup&Users=999999'), format).code).toBe('Unavailable')
  })

  test('a faulty request is 400 whatever the store does', async () => {
    database.exec('DROP TABLE users')
    expect((await lookUp('Event=ProfileLookup&Users=x')).status).toBe(400)
  })

  test.for<[name: string, broken: string, query: string]>([
    ['a rank beyond 32 bits', 'UPDATE users SET rank = 2147483648 WHERE id = 1', users],
    ['a category beyond 32 bits', 'UPDATE apps SET category = -2147483649 WHERE id = 1', apps],
    ['a join date beyond 2^53', 'UPDATE users SET join_date = 9007199254740992 WHERE id = 1', users],
    ['an id beyond 2^53', 'UPDATE users SET id = 9007199254740993 WHERE id = 1', names],
    ['a rank that is a word', "UPDATE users SET rank = 'high' WHERE id = 1", users],
  ])('%s is 500 Internal with a fixed text', async ([, broken, query]) => {
    database.exec(broken)
    const reply = await lookUp(query)
    expect(reply.status).toBe(500)
    expect(refusalIn(reply, format)).toEqual({
      code: 'Internal',
      message: 'Internal error. The server log has the reason, under the X-Request-Id of this response.',
    })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['retry-after']).toBeUndefined()
    const requestId = reply.headers['x-request-id']
    expect(requestId).toMatch(/^[\w-]{8,}$/)
    const about = expect.objectContaining({ outcome: 'Internal' })
    expect(gateway.observations).toContainEqual(
      expect.objectContaining({ type: 'request', requestId, about }),
    )
    // The row is named, and nothing else of it.
    const column = /SET (\w+)/.exec(broken)?.[1]
    const refused = { type: 'rows-refused', relation: query === apps ? 'apps' : 'users', column, count: 1 }
    await vi.waitFor(
      () => expect(gateway.observations).toContainEqual(expect.objectContaining(refused)),
      3_000,
    )
  })

  test('a row that cannot be read spoils no other answer', async () => {
    database.exec('UPDATE users SET rank = 2147483648 WHERE id = 1')
    const others = 'Event=ProfileLookup&Users=2:3'
    const [broken, whole] = await Promise.all([lookUp(users), lookUp(others)])
    expect([broken.status, whole.status]).toEqual([500, 200])
  })
})

test('LEGACY_ERROR_STATUS=200 answers an outage with 200, still saying when to try again', async () => {
  const lenient = await startGateway({ LEGACY_ERROR_STATUS: '200' })
  const itsDatabase = new DatabaseSync(lenient.database.path)
  try {
    itsDatabase.exec('DROP TABLE users')
    const reply = await ask(lenient.url, `/?${users}`)
    expect(refusalIn(reply, 'JSON').code).toBe('Unavailable')
    expect(reply).toMatchObject({ status: 200, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  } finally {
    itsDatabase.close()
    await lenient.close()
  }
})
