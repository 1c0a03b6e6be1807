// OPTIONS of /graphql: which headers a page of another site may send. test/gateway/pages/cross-origin.test.ts
// has a real browser ask.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { exchange, requestFor } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const ALL = '*, authorization'
const LONGEST = 1000

function preflight(...lists: readonly string[]) {
  const asked = lists.map((list) => `Access-Control-Request-Headers: ${list}`)
  const headers = ['Host: gateway', 'Origin: https://other.example', 'Access-Control-Request-Method: POST']
  return exchange(gateway.url, requestFor('/graphql', [...headers, ...asked], 'OPTIONS'))
}

async function allowed(...lists: readonly string[]): Promise<string | undefined> {
  const { status, headers } = await preflight(...lists)
  expect(status).toBe(204)
  expect(headers.vary).toBe('Access-Control-Request-Headers')
  return headers['access-control-allow-headers']
}

test.each([
  'content-type',
  'apollographql-client-name,authorization,content-type,traceparent,x-request-id',
  'Content-Type, X-Mine',
  "a!#$%&'*+.^`|~_-9",
  'x'.repeat(LONGEST),
  // An HTTP client that is no browser.
  'a ,\tb',
])('allows the headers that are asked for: %s', async (list) => {
  expect(await allowed(list)).toBe(list)
})

test('allows those of several lists', async () => {
  expect(await allowed('a,b', 'c')).toBe('a,b, c')
})

test.each([
  ['no list', []],
  ['an empty list', ['']],
  ['an empty name', ['a,,b']],
  ['a comma at the end', ['a,']],
  ['a blank in a name', ['a b']],
  ['a value', ['a: b']],
  ['a quoted name', ['"a"']],
  ['a name that is not ASCII', ['\xe4']],
  ['a list that is too long', ['x'.repeat(LONGEST + 1)]],
  ['a list that is far too long', ['x,'.repeat(10_000)]],
])('allows all headers where there is %s', async (_name, lists) => {
  expect(await allowed(...lists)).toBe(ALL)
})

test('repeats nothing but names of headers', async () => {
  const list = fc.string({ unit: fc.constantFrom(...'aZ9-_!,, \t:;"*/\\\x80\xff'), maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(list, async (text) => {
      const names = text.split(',').map((name) => name.replace(/^[\t ]+|[\t ]+$/g, ''))
      const isList = names.every((name) => /^[aZ9\-_!*]+$/.test(name))
      expect(await allowed(text)).toBe(isList ? text.replace(/^[\t ]+|[\t ]+$/g, '') : ALL)
    }),
    { numRuns: 300 },
  )
})

test('has no content, and so no length', async () => {
  const { headers, body } = await preflight('content-type')
  expect(body).toBe('')
  expect(headers).not.toHaveProperty('content-length')
  expect(headers).not.toHaveProperty('transfer-encoding')
})

test('may have a body, which is not read', async () => {
  const headers = ['Host: gateway', 'Content-Length: 3', 'Connection: close']
  const request = requestFor('/graphql', headers, 'OPTIONS')
  expect(await exchange(gateway.url, `${request}{"q`)).toMatchObject({ status: 204 })
})
