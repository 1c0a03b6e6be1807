// Every response carries the id of its request, which is also the id in the log.

import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { exchange, requestFor } from './raw.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const idOf = async (url: string, target: string, ...headers: readonly string[]) =>
  (await exchange(url, requestFor(target, ['Host: a', ...headers]))).headers['x-request-id']

test.for([
  '/?Event=ProfileLookup&Users=1',
  '/?Event=Nope&Format=XML',
  '/graphql?query={__typename}',
  '/graphql?query={x}',
  '/nowhere',
])('%s has the id of the request, or a new one', async (target, { gateway }) => {
  for (const id of ['r-1', 'a', '!"#~', 'x'.repeat(128)])
    expect(await idOf(gateway.url, target, `X-Request-Id: ${id}`)).toBe(id)
  const made = new Set<string | undefined>()
  for (const headers of [[], [''], ['two words'], ['x'.repeat(129)], ['\xe9'], ['a', 'b']]) {
    const id = await idOf(gateway.url, target, ...headers.map((value) => `X-Request-Id: ${value}`))
    expect(id).toMatch(uuid)
    expect(made).not.toContain(id)
    made.add(id)
  }
})

test.for(['/?Users=a b', 'nonsense'])(
  '%s, which cannot be read, has a new id',
  async (target, { gateway }) => {
    const { status, headers } = await exchange(gateway.url, requestFor(target))
    expect([status, headers['x-request-id']]).toEqual([400, expect.stringMatching(uuid)])
  },
)

test('the observation of a request has its id and its subject', async ({ gateway }) => {
  await idOf(gateway.url, '/?Event=AppLookup&Apps=1:2&Format=XML', 'X-Request-Id: look-here')
  await expect
    .poll(() => gateway.observations.find((one) => one.type === 'request' && one.requestId === 'look-here'))
    .toMatchObject({ status: 200, about: { event: 'AppLookup', format: 'XML', outcome: 'ok', values: 2 } })
})
