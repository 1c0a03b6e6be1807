// No message carries SQL, a path, a stack or a host name: over the bodies of all errors, in both formats.

import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { legacyFailureCodes } from '../../../src/errors.ts'
import { startGateway } from '../../kit/gateway.ts'
import { startGatewayOnPostgres } from '../../kit/postgres/gateway.ts'
import { type Asking, ask, inFormat, type Reply } from './support/ask.ts'

const P = 'Event=ProfileLookup'
const method = 'MethodOfAccessingUserInformation'
const byName = `${P}&${method}=username&Users=ada`

const asked: [code: string, query: string, asking?: Asking, broken?: string][] = [
  ['MissingParameter', ''],
  ['MissingParameter', P],
  ['RepeatedParameter', `${P}&Users=1&Users=1`],
  ['UnknownEvent', 'Event=Nope'],
  ['UnknownMethod', `${P}&${method}=x&Users=1`],
  ['UnknownFormat', `${P}&Users=1&Format=YAML`],
  ['MalformedIdentifier', `${P}&Users=x`],
  ['TooManyValues', `${P}&Users=1:2:3:4`],
  ['MalformedQuery', '%'],
  ['MethodNotAllowed', P, { method: 'POST' }],
  ['MalformedHost', `${P}&Users=1`, { headers: { host: '[' } }],
  ['TooLongTarget', `${P}&Users=${'1'.repeat(70_000)}`],
  ['TooLongTarget', `${P}&Users=${'1'.repeat(1_000_000)}`],
  ['Internal', `${P}&Users=1`, {}, 'UPDATE users SET rank = 5000000000'],
  ['Internal', byName, {}, 'UPDATE users SET id = 9007199254740993 WHERE id = 1'],
  ['Unavailable', `${P}&Users=1`, {}, 'DROP TABLE users'],
  ['Unavailable', byName, {}, 'ALTER TABLE users RENAME COLUMN username_key TO k'],
  ['Unavailable', 'Event=AppLookup&Apps=1', {}, 'DROP TABLE apps'],
]

const traces: [name: string, pattern: RegExp][] = [
  ['SQL', /\b(?:select|insert|join|from \w+ where|json_each|sqlite\w*|table|column|statement)\b/i],
  [
    'an error of a program',
    /\b(?:ERR_\w+|errno|\w*Error:|TypeError|undefined|NaN|graphql error|Int cannot)/i,
  ],
  ['a stack', /\n\s+at |\bat \S+:\d+|\.[tj]s\b|node_modules|node:/],
  ['a path', /\/(?:tmp|home|root|work|usr|var|src|etc)\b|[A-Z]:\\|\.db\b|file:/],
  ['a host name', new RegExp(`localhost|127\\.0\\.0\\.1|::1|${hostname().replaceAll('.', '\\.')}`)],
]

/** Every error, made for real. */
async function collect(): Promise<[string, Reply][]> {
  const replies: [string, Reply][] = []
  for (const [code, query, asking, broken] of asked) {
    const gateway = await startGateway({ LEGACY_MAX_VALUES: '3' })
    const database = new DatabaseSync(gateway.database.path)
    if (broken !== undefined) database.exec(broken)
    const targets =
      code === 'UnknownFormat' ? [`/?${query}`] : [inFormat(query, 'JSON'), inFormat(query, 'XML')]
    for (const target of targets) replies.push([code, await ask(gateway.url, target, asking)])
    database.close()
    await gateway.close()
  }
  replies.push(...(await collectOverload()), ...(await collectTooMany()))
  return replies
}

/** All connections wait for a table that is locked. */
async function collectOverload(): Promise<[string, Reply][]> {
  const gateway = await startGatewayOnPostgres({ DATABASE_CONNECTIONS: '1' })
  const target = (format: 'JSON' | 'XML') => inFormat(`${P}&Users=1`, format)
  await ask(gateway.url, target('JSON'))
  await gateway.database.run('BEGIN; LOCK TABLE users')
  const locked = gateway.database.run('SELECT pg_sleep(0.8); COMMIT')
  const first = ask(gateway.url, target('JSON'))
  await pause(50)
  const replies = await Promise.all(
    (['JSON', 'XML'] as const).map((format) => ask(gateway.url, target(format))),
  )
  await Promise.all([first, locked])
  await gateway.close()
  return replies.map((reply) => ['Overloaded', reply])
}

async function collectTooMany(): Promise<[string, Reply][]> {
  const gateway = await startGateway({ RATE_LIMIT: '1' })
  const target = (format: 'JSON' | 'XML') => inFormat(`${P}&Users=1`, format)
  await ask(gateway.url, target('JSON'))
  const replies = [await ask(gateway.url, target('JSON')), await ask(gateway.url, target('XML'))]
  await gateway.close()
  return replies.map((reply) => ['TooManyRequests', reply])
}

test('no message carries SQL, a path, a stack or a host name', async () => {
  const replies = await collect()
  // Every code of the table has been seen.
  expect([...new Set(replies.map(([code]) => code))].sort()).toEqual([...legacyFailureCodes].sort())
  for (const [code, { body, headers }] of replies) {
    expect(body).toContain(code)
    const shown = JSON.stringify(headers) + body
    for (const [name, pattern] of traces) expect(shown, `${name} in ${code}`).not.toMatch(pattern)
  }
})
