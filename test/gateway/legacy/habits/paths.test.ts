// LEGACY_PATHS: where legacy requests are answered, and what becomes of the path that is not among them.

import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../../../src/config.ts'
import { contracts } from '../../../../src/gateway/contracts/index.ts'
import { type Gateway, startGateway } from '../../../kit/gateway.ts'
import { ask } from '../support/ask.ts'

let gateway: Gateway | undefined
afterEach(async () => {
  await gateway?.close()
  gateway = undefined
})

const query = 'Event=ProfileLookup&Users=1'

async function serve(settings: Readonly<Record<string, string>>) {
  gateway = await startGateway(settings)
  const { url } = gateway
  return async (target: string, accept = '*/*', method = 'GET') => {
    const { status, headers, body } = await ask(url, target, { method, headers: { accept } })
    const isPage = headers['content-type']?.startsWith('text/html') === true
    return isPage
      ? 'the page'
      : status === 200
        ? body.slice(0, 8)
        : `${status} ${/"Code":"(\w+)"/.exec(body)?.[1]}`
  }
}

test('lookups are answered on each path, and on no other', async () => {
  const send = await serve({ LEGACY_PATHS: '/,/index.php,/api/' })
  for (const path of ['/', '/index.php', '/api/', '']) expect(await send(`${path}?${query}`)).toBe('{"1":{"I')
  expect(await send(`http://gateway/api/?${query}`)).toBe('{"1":{"I')
  for (const path of ['/index.php/', '/index.php/x', '/api', '/INDEX.PHP', '/index%2Ephp', '//index.php'])
    expect(await send(`${path}?${query}`)).toBe('404 NotFound')
  expect(await send('/index.php?Event=Nope')).toBe('400 UnknownEvent')
  expect(await send(`/api/?${query}`, '*/*', 'POST')).toBe('405 MethodNotAllowed')
  expect(await send('/graphql?query={__typename}')).toMatch(/^\{"data"/)
})

test('bytes beyond ASCII are read on each path', async () => {
  const send = await serve({ LEGACY_PATHS: '/lookup.php' })
  const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=søren'
  expect(await send(`/lookup.php?${byName}`)).toMatch(/^\{"s/)
})

test('the page is at / whatever the paths, and nowhere else', async () => {
  const send = await serve({ LEGACY_PATHS: '/index.php' })
  expect(await send('/', 'text/html')).toBe('the page')
  expect(await send('/', '*/*')).toBe('404 NotFound')
  expect(await send(`/?${query}`, 'text/html')).toBe('404 NotFound')
  expect(await send(`/?${query}`)).toBe('404 NotFound')
  expect(await send('/', 'text/html', 'POST')).toBe('404 NotFound')
  expect(await send('/index.php', 'text/html')).toBe('400 MissingParameter')
  const { body } = await ask(gateway?.url ?? '', '/', { headers: { accept: 'text/html' } })
  expect(body).toContain('data-lookups="./index.php"')
})

test('without the page, / is as any other path', async () => {
  const send = await serve({ LEGACY_PATHS: '/index.php', EXPLORER: 'off' })
  expect(await send('/', 'text/html')).toBe('404 NotFound')
})

test('what is nowhere says where lookups are', async () => {
  await serve({ LEGACY_PATHS: '/a.php,/b/' })
  const { body } = await ask(gateway?.url ?? '', '/nowhere')
  expect(JSON.parse(body).Error.Message).toBe(
    'There is no such path. Lookups are at /a.php, /b/, GraphQL is at /graphql.',
  )
})

test("one of the gateway's own is refused by name", () => {
  expect(() => readConfig({ flags: { LEGACY_PATHS: '/,/graphql' } })).toThrow(
    `LEGACY_PATHS (flag) cannot be "/,/graphql": /graphql is the gateway's own. Allowed: paths such as`,
  )
  expect(() => readConfig({ flags: { LEGACY_PATHS: 'index.php' } })).toThrow(
    'cannot be "index.php": a path begins with / and has no query.',
  )
})

test('every path that the gateway answers on is refused', async () => {
  const send = await serve({})
  const own = ['/graphql', '/explain', ...Object.values(contracts).map(({ file }) => `/schema/${file}`)]
  for (const path of own) {
    expect(await send(path)).not.toBe('404 NotFound')
    expect(() => readConfig({ flags: { LEGACY_PATHS: path } })).toThrow("the gateway's own")
  }
})
