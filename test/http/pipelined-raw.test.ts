// A request line with raw UTF-8 is read from the packet it came in, and never from the request before it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { exchange, requestFor, talking } from './raw.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const raw = Buffer.from('søren').toString('latin1')
const byName = `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${raw}`

test('alone, it is answered with an ETag', async () => {
  const { status, body, headers } = await exchange(gateway.url, requestFor(byName))
  expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('"Id":2') })
  expect(headers.etag).toMatch(/^"\S+"$/)
})

// The refusal overtakes the answer before it and closes the connection: nobody pipelines these any more.
test.each([byName, `/${raw}`])('behind another request, it is refused: %j', (target) =>
  talking(gateway.url, async ({ write, answer }) => {
    write(requestFor('/?Event=ProfileLookup&Users=1') + requestFor(target))
    const { status, body } = await answer()
    expect(status).toBe(400)
    expect(body).not.toContain('Ada')
  }),
)

test('in two packets, it is refused in words', () =>
  talking(gateway.url, async ({ write, answer }) => {
    const [start, end] = requestFor(byName).split('ren ')
    write(`${start}`.slice(0, -1))
    await new Promise((resolve) => setTimeout(resolve, 100))
    write(`${`${start}`.slice(-1)}ren ${end}`)
    expect((await answer()).body).toContain('MalformedQuery')
  }))

test('it is a request like any other: its id, its tag, its method, its host', async () => {
  const ask = (headers: readonly string[], method = 'GET', target = byName) =>
    exchange(gateway.url, requestFor(target, headers, method))
  const full = await ask(['Host: a', 'X-Request-Id: mine'])
  expect(full.headers['x-request-id']).toBe('mine')
  expect(full.headers.connection).toBe('close')
  const head = await ask(['Host: a'], 'HEAD')
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head.headers['content-length']).toBe(String(full.body.length))
  expect((await ask(['Host: a', `If-None-Match: ${full.headers.etag}`])).status).toBe(304)
  for (const headers of [['X: y'], ['Host: a', 'Host: a'], ['Host: a b']]) {
    const refused = await ask(headers)
    expect(refused).toMatchObject({ status: 400, body: expect.stringContaining('MalformedHost') })
  }
})

test('it counts like any other', async () => {
  const limited = await startGateway({ RATE_LIMIT: '2' })
  const statuses: number[] = []
  for (let turn = 0; turn < 3; turn++) statuses.push((await exchange(limited.url, requestFor(byName))).status)
  await limited.close()
  expect(statuses).toEqual([200, 200, 429])
  const observed = limited.observations.filter(({ type }) => type === 'request')
  expect(observed).toHaveLength(3)
})
