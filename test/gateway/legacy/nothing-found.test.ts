// Where the old service had an error for what it did not find: of one value among others, or of all of them.

import { describe, expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../kit/gateway.ts'
import { ask, contentTypes, inFormat } from './support/ask.ts'
import { usersIn } from './support/reply.ts'

async function started(settings: Readonly<Record<string, string>>) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  return gateway
}

const P = 'Event=ProfileLookup&Users='

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  const written = (message: string) =>
    format === 'XML'
      ? `<?xml version="1.0"?>\n<ServiceAPI><Error><Code>NothingFound</Code><Message>${message}</Message></Error></ServiceAPI>\n`
      : `{"Error":{"Code":"NothingFound","Message":"${message}"}}`

  test('LEGACY_UNKNOWN=refuse refuses all of it for the first that matches nothing', async () => {
    const { url } = await started({ LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: 'No user {value}!' })
    const lookUp = (list: string) => ask(url, inFormat(P + list, format))
    expect(usersIn(await lookUp('1:2'), format)).toEqual(['1 → 1', '2 → 2'])
    for (const list of ['1:999:998', '999', '999:1']) {
      const reply = await lookUp(list)
      expect(reply).toMatchObject({ status: 404, body: written('No user 999!') })
      expect(reply.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': contentTypes[format],
      })
      expect(reply.headers.etag).toBeUndefined()
    }
  })

  test('LEGACY_EMPTY=refuse refuses an answer without entries, and no other', async () => {
    const { url } = await started({ LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN_TEXT: 'None of {value}' })
    const lookUp = (list: string) => ask(url, inFormat(P + list, format))
    expect(usersIn(await lookUp('1:999'), format)).toEqual(['1 → 1'])
    expect(await lookUp('999')).toMatchObject({ status: 404, body: written('None of 999') })
    expect(await lookUp('998:0999')).toMatchObject({ status: 404, body: written('None of 998:0999') })
  })

  test('LEGACY_EMPTY=refuse refuses an answer without anybody where others have null entries', async () => {
    const { url } = await started({
      LEGACY_EMPTY: 'refuse',
      LEGACY_UNKNOWN: 'null',
      LEGACY_UNKNOWN_TEXT: 'None of {value}',
    })
    expect(usersIn(await ask(url, inFormat(`${P}1:999`, format)), format)).toEqual(['1 → 1', '999 → null'])
    expect(await ask(url, inFormat(`${P}999`, format))).toMatchObject({
      status: 404,
      body: written('None of 999'),
    })
  })

  test.each(['omit', 'null'])(
    'LEGACY_EMPTY=none has no body where nobody is found, beside %s',
    async (unknown) => {
      const { url } = await started({ LEGACY_EMPTY: 'none', LEGACY_UNKNOWN: unknown })
      const reply = await ask(url, inFormat(`${P}998:999`, format))
      expect(reply).toMatchObject({ status: 200, body: '' })
      expect(reply.headers).toMatchObject({ 'content-length': '0', 'content-type': contentTypes[format] })
      const { etag } = reply.headers
      expect(etag).toMatch(/^".+"$/)
      const again = await ask(url, inFormat(`${P}998:999`, format), {
        headers: { 'If-None-Match': String(etag) },
      })
      expect(again).toMatchObject({ status: 304, body: '' })
      expect(usersIn(await ask(url, inFormat(`${P}1:999`, format)), format)[0]).toBe('1 → 1')
    },
  )

  test.for<[Readonly<Record<string, string>>, status: number]>([
    [{}, 404],
    [{ LEGACY_UNKNOWN_STATUS: '200' }, 200],
    [{ LEGACY_ERROR_STATUS: '200' }, 200],
    [{ LEGACY_ERROR_STATUS: '422' }, 422],
    [{ LEGACY_ERROR_STATUS: '200', LEGACY_UNKNOWN_STATUS: '410' }, 410],
  ])('with %j its status is %i', async ([settings, status], { expect }) => {
    const { url } = await started({ LEGACY_UNKNOWN: 'refuse', ...settings })
    expect(await ask(url, inFormat(`${P}999`, format))).toMatchObject({ status, body: written('Not found') })
  })

  test.each(['LEGACY_UNKNOWN', 'LEGACY_EMPTY'])(
    '%s=refuse has a text for apps, where there are two',
    async (name) => {
      const { url } = await started({ [name]: 'refuse', LEGACY_UNKNOWN_TEXT: 'No user | No app {value}' })
      expect((await ask(url, inFormat(`${P}999`, format))).body).toBe(written('No user'))
      expect((await ask(url, inFormat('Event=AppLookup&Apps=999', format))).body).toBe(written('No app 999'))
    },
  )

  test('a long value is quoted in part', async () => {
    const { url } = await started({ LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: '{value}' })
    const query = `Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${'a'.repeat(9000)}`
    expect((await ask(url, inFormat(query, format))).body.length).toBeLessThan(300)
  })
})

test('an answer without entries is a list, where it was one in PHP', async () => {
  const { url } = await started({ LEGACY_EMPTY: '[]' })
  expect((await ask(url, `/?${P}999`)).body).toBe('[]')
  expect((await ask(url, `/?${P}999&Format=XML`)).body).toBe('<?xml version="1.0"?>\n<ServiceAPI/>\n')
})

test('an answer without entries is null, where nothing was put in the variable', async () => {
  const { url } = await started({ LEGACY_EMPTY: 'null', LEGACY_JSON_FLAGS: 'newline' })
  expect((await ask(url, `/?${P}999`)).body).toBe('null\n')
  expect((await ask(url, `/?${P}999&Format=XML`)).body).toBe('<?xml version="1.0"?>\n<ServiceAPI/>\n')
})

test('GraphQL has null for what is not there, as ever', async () => {
  const { url } = await started({
    LEGACY_UNKNOWN: 'refuse',
    LEGACY_ERROR_BODY: 'text',
    LEGACY_NUMBERS: 'string',
  })
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ users(values: ["1", "999"]) { rank banned } }' }),
  })
  expect(await response.json()).toEqual({ data: { users: [{ rank: 9, banned: false }, null] } })
})
