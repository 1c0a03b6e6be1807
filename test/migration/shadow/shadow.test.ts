// Live comparison: what is counted and logged. No client waits for it.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startGatewayOver } from '../../kit/gateway.ts'
import { answering, ask, ofType, results, shadowed, startTwin } from './support.ts'

const app = 'AppLookup&Apps=1'
const empty = () => answering((_, response) => void response.end('{}'))

test('counts the same bytes, the same meaning and another one', async () => {
  const gateway = await shadowed(await startTwin({ unknown: 'null' }))
  for (const query of ['Users=1', 'Users=1:2&Format=XML', 'Users=1:99'])
    await ask(gateway, `ProfileLookup&${query}`)
  await expect.poll(() => results(gateway)).toEqual(['bytes', 'different', 'meaning'])
  expect(ofType(gateway, 'shadow-differs')).toEqual([
    {
      ...{ type: 'shadow-differs', requestId: expect.any(String), field: 'entry', kind: 'missing' },
      ...{ event: 'ProfileLookup', method: 'id', format: 'JSON', answeredBy: 'new' },
    },
  ])
})

test('logs each cause once a minute, and no person', async () => {
  const old = await answering((_, response) => void response.end('{"Ada":{"nickname":"Ada"}}'))
  const gateway = await shadowed(old)
  const method = 'MethodOfAccessingUserInformation=Ada'
  for (const query of [
    'ProfileLookup&Users=1',
    'ProfileLookup&Users=2',
    'Ada&Users=1',
    `ProfileLookup&${method}`,
  ])
    await ask(gateway, `${query}&Users=1`)
  await expect.poll(() => results(gateway).length).toBe(4)
  const logged = ofType(gateway, 'shadow-differs')
  expect(logged.map(({ event }) => event).toSorted()).toContain('other')
  expect(new Set(logged.map((one) => JSON.stringify({ ...one, requestId: '' }))).size).toBe(logged.length)
  expect(JSON.stringify(logged)).not.toContain('Ada')
})

test('an old service that fails is counted each time, and logged once', async () => {
  const gateway = await shadowed(await answering((_, response) => response.writeHead(500).end()))
  for (let times = 0; times < 3; times++) await ask(gateway, app)
  await expect.poll(() => results(gateway)).toEqual(Array(3).fill('failed'))
  expect(ofType(gateway, 'shadow-unanswered')).toEqual([{ type: 'shadow-unanswered', reason: 'status 500' }])
})

describe('an old service that hangs', () => {
  test('gets two calls; fifty responses to an event wait, and the others are dropped', async () => {
    const old = await answering(() => {})
    const gateway = await shadowed(old)
    const bodies = await Promise.all(Array.from({ length: 150 }, () => ask(gateway, app)))
    expect(bodies.every((body) => body.startsWith('{"'))).toBe(true)
    await expect.poll(() => old.asked.length).toBe(2)
    // Drops are reported once a second.
    await expect.poll(() => results(gateway)).toEqual(Array(98).fill('dropped'))
    // A rare event does not wait behind a frequent one.
    await ask(gateway, 'ProfileLookup&Users=1')
    expect(results(gateway)).toHaveLength(98)
  })

  test('is left when the gateway closes, and nothing is counted', async () => {
    let open = 0
    const old = await answering((_, response) => {
      open++
      response.on('close', () => open--)
    })
    const gateway = await shadowed(old)
    for (let times = 0; times < 3; times++) await ask(gateway, app)
    await expect.poll(() => open).toBe(2)
    await gateway.close()
    await expect.poll(() => open).toBe(0)
    expect([old.asked.length, results(gateway)]).toEqual([2, []])
  })
})

describe('what is too large', () => {
  test('a response of the old service of more than 64 KiB is dropped', async () => {
    const old = await answering(({ url = '' }, response) => {
      const bytes = 64 * 1024 + Number(url.includes('=98'))
      response.end(`{"1":"${'x'.repeat(bytes - 8)}"}`)
    })
    const gateway = await shadowed(old)
    for (const id of [98, 99]) await ask(gateway, `AppLookup&Apps=${id}`)
    await expect.poll(() => results(gateway)).toEqual(['different', 'dropped'])
    expect(ofType(gateway, 'shadow-unanswered')).toEqual([])
  })

  test('a response of the old service of more than 256 KiB is not read', async () => {
    const old = await answering((_, response) => void response.end('<Data/>'.repeat(40_000)))
    const gateway = await shadowed(old)
    await ask(gateway, `${app}&Format=XML`)
    await expect.poll(() => results(gateway)).toEqual(['failed'])
    const reason = 'its response has more than 262144 bytes'
    expect(ofType(gateway, 'shadow-unanswered')).toEqual([{ type: 'shadow-unanswered', reason }])
  })
})

test.for([
  ['0', 0],
  ['0.1', 3],
  ['1', 9],
] as const)('SHADOW_SAMPLE=%s compares its share', async ([sample, compared]) => {
  const old = await empty()
  const gateway = await shadowed(old, { SHADOW_SAMPLE: sample })
  let turn = 0
  const random = vi.spyOn(Math, 'random').mockImplementation(() => [0.05, 0.5, 0.95][turn++ % 3] ?? 0)
  onTestFinished(() => random.mockRestore())
  for (let times = 0; times < 9; times++) await ask(gateway, 'AppLookup&Apps=99')
  await expect.poll(() => results(gateway)).toEqual(Array(compared).fill('bytes'))
  expect(old.asked).toHaveLength(compared)
})

test('a response that is a failure of the gateway is not compared, even with status 200', async () => {
  const old = await empty()
  const away = await answering((_, response) => response.writeHead(500).end())
  const settings = { SHADOW_URL: old.url, SHADOW_SAMPLE: '1', errors: { status: 200 } }
  const gateway = await startGatewayOver({ DATABASE_URL: away.url, ...settings })
  onTestFinished(gateway.close)
  const response = await fetch(`${gateway.url}/?Event=${app}`)
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Unavailable')])
  await gateway.close()
  expect(old.asked).toEqual([])
})
