// The old service of this kit, and the one in PHP: the same requests and switches, the same bytes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startOldService as startPhp } from '../old-service/start.ts'
import { type OldService, type Switches, startOldService } from './old-service.ts'
import { freePort } from './postgres/server.ts'

const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
const requests = [
  'Event=ProfileLookup&Users=1:2:3:99',
  'Event=ProfileLookup&Users=99:1:3&Format=XML',
  'Event=ProfileLookup&Users=3:1:01:1e0:%201:x:2:4:5:6:7',
  'Event=ProfileLookup&Users=99',
  'Event=ProfileLookup&Users=99&Format=XML',
  'Event=ProfileLookup&Users=2:9:13&Format=XML',
  `${byName}ADA:s%C3%B8ren:nobody:mallory:%3Cb`,
  `${byName}ada:S%C3%98REN:a%22%26%3C%3E%27%0A%09%0D%E2%82%AC&Format=XML`,
  'Event=ProfileLookup&MethodOfAccessingUserInformation=chat&Users=chat-1001:CHAT-1002:10:2',
  'Event=ProfileLookup&MethodOfAccessingUserInformation=talk&Users=chat-1001',
  'Event=ProfileLookup&MethodOfAccessingUserInformation=ID&Users=2',
  'Event=AppLookup&Apps=2:1:3:77',
  'Event=AppLookup&Apps=1:2:9&Format=XML',
  'event=AppLookup&Event=ProfileLookup&Users=2&users=1&Users=3',
  'Event=applookup&Apps=1&Users=1',
  'Event=&Users=1&Apps=1',
  'Event=0&Users=1',
  'Users=1&Apps=2',
  'Event=Other&Users=1&Format=XML',
  'Event=AppLookup&Apps=',
  'Event=AppLookup&Apps=::',
  'Event=AppLookup',
  'Event=ProfileLookup&Users=0',
  'Event=ProfileLookup&Users=1&Format=xml',
  'Event=ProfileLookup&Users=1&Format=yaml',
  'Event=ProfileLookup&Users=1&Format=',
  'Event=ProfileLookup&Users=1+2%zz%2:%31&x&=&Format=JSON',
  '',
]

const switches: readonly Switches[] = [
  {},
  ...(['null', 'error', 'list'] as const).map((unknown) => ({ unknown })),
  ...(['null', 'silent', 'error'] as const).map((nothing) => ({ nothing })),
  ...(['both', 'json'] as const).map((escaped) => ({ escaped })),
  ...(['stored', 'id'] as const).map((naming) => ({ naming })),
  ...['ksort', 'username', 'id DESC', 'display_name', 'rank'].map((orderBy) => ({ orderBy })),
  { orderBy: 'ksort', looseIds: true, unknown: 'null' },
  { appsOrderBy: 'title DESC' },
  { looseIds: true },
  { looseIds: true, unknown: 'null', numericCheck: true },
  { caseSensitive: true },
  { errorStatus: '200', pretty: true },
  { pretty: true, unknown: 'null' },
  { pretty: true, unknown: 'list', xmlDeclaration: false },
  { serviceName: 'Acme', chatMethod: 'talk', maxValues: 2 },
  { withoutApps: true },
  { failing: true },
  { blocked: '<' },
  { wants: 'X-Key: abc' },
  { login: 'me:secret' },
  { gzip: true },
  { movedTo: 'http://127.0.0.1:1/new' },
  { paths: ['/lookup.php'] },
  { changing: ['Version', 'status'] },
  { changing: ['entries'] },
  { anyCase: ['parameters', 'events', 'methods', 'formats'] },
  { anyCase: ['formats'], otherFormat: 'xml' },
  ...(['first', 'refuse'] as const).map((repeated) => ({ repeated })),
  ...(['missing', 'empty', 'any'] as const).map((otherEvent) => ({ otherEvent })),
  { otherEvent: 'any', defaultEvent: 'AppLookup' },
  ...(['xml', 'refuse'] as const).map((otherFormat) => ({ otherFormat })),
  ...(['id', 'username', 'unknown'] as const).map((otherMethod) => ({ otherMethod })),
  ...(['refuse-empty', 'refuse-missing', 'empty'] as const).map((noValues) => ({ noValues })),
]

describe('the two answer alike', () => {
  let php: OldService
  let twin: OldService
  beforeAll(async () => {
    php = await startPhp()
    twin = await startOldService()
  })
  afterAll(() => Promise.all([php.close(), twin.close()]))

  test.each(switches)('%j', async (on) => {
    php.switchTo(on)
    twin.switchTo(on)
    for (const request of requests) expect(await ask(twin, request), request).toEqual(await ask(php, request))
  })
})

async function ask({ url }: OldService, query: string): Promise<unknown> {
  const response = await fetch(`${url}?${query}`, { redirect: 'manual' })
  return {
    status: response.status,
    type: response.headers.get('content-type')?.replace('; charset', ';charset'),
    coding: response.headers.get('content-encoding'),
    location: response.headers.get('location'),
    body: await response.text(),
  }
}

describe('npm run old-service', () => {
  const entry = new URL('../old-service/run.ts', import.meta.url).pathname
  test('answers on the port that is named', async () => {
    const port = String(await freePort())
    const child = spawn(process.execPath, [entry, '--port', port])
    onTestFinished(() => void child.kill())
    await once(child.stdout, 'data')
    const response = await fetch(`http://127.0.0.1:${port}/?Event=ProfileLookup&Users=1`)
    expect(await response.json()).toHaveProperty('1')
  })
})
