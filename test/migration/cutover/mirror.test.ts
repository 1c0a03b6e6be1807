// CUTOVER_MIRROR: what the old service answers is compared with what the gateway would answer.

import { describe, expect, onTestFinished, test } from 'vitest'
import { startGatewayOver } from '../../kit/gateway.ts'
import {
  answering,
  behindProxy,
  bodyOf,
  clientAt,
  cutOver,
  lookup,
  ofType,
  results,
  startFailing,
  startTwin,
} from './support.ts'

const mirror = { CUTOVER_MIRROR: '1', ...behindProxy }

test('at 0, each response of the old service is compared, and the client gets it unchanged', async () => {
  const gateway = await cutOver((await startTwin({ unknown: 'null' })).url, mirror)
  const ask = (query: string) => bodyOf(`${gateway.url}/?Event=ProfileLookup&Users=${query}`)
  expect(await ask('90')).toBe('{"90":null}')
  await ask('1')
  await ask('1:2&Format=XML')
  await expect.poll(() => results(gateway).toSorted()).toEqual(['bytes', 'different', 'meaning'])
  expect(ofType(gateway, 'shadow-compared').map(({ answeredBy }) => answeredBy)).toEqual(Array(3).fill('old'))
  expect(ofType(gateway, 'shadow-differs')).toMatchObject([
    { answeredBy: 'old', event: 'ProfileLookup', kind: 'missing', field: 'entry' },
  ])
})

test('the old service gets each request once; compressed responses are compared, too', async () => {
  const twin = await startTwin({ gzip: true })
  const asked: string[] = []
  const old = await answering(async ({ url = '' }, response) => {
    asked.push(url)
    const { headers, body } = await raw(new URL(url, twin.url).href)
    response.writeHead(200, headers).end(body)
  })
  const gateway = await cutOver(old.url, mirror)
  for (let times = 0; times < 3; times++) await bodyOf(gateway.url + lookup)
  await expect.poll(() => results(gateway)).toEqual(Array(3).fill('bytes'))
  expect(asked).toHaveLength(3)
})

async function raw(url: string) {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
  return { headers: { 'Content-Type': 'application/json' }, body: Buffer.from(await response.arrayBuffer()) }
}

test('the gateway is not charged to the client, and what it cannot answer is counted', async () => {
  const [old, away] = [await startTwin(), await startFailing()]
  const settings = { ...mirror, DATABASE_URL: away.url, CUTOVER_URL: old.url }
  const gateway = await startGatewayOver(settings)
  onTestFinished(gateway.close)
  await bodyOf(gateway.url + lookup)
  await expect.poll(() => results(gateway)).toEqual(['gateway-failed'])
  const limited = await cutOver(old.url, { ...mirror, RATE_LIMIT: '4' })
  const three = `${limited.url}/?Event=ProfileLookup&Users=1:2:3`
  for (let times = 0; times < 4; times++) expect((await fetch(three)).status).toBe(200)
  await expect.poll(() => results(limited)).toEqual(Array(4).fill('bytes'))
})

describe('not compared', () => {
  test('other methods, HEAD, failures and conditional requests', async () => {
    const old = await answering(({ url, headers }, response) => {
      if (headers['if-none-match'] !== undefined) response.writeHead(304).end()
      else response.writeHead(url?.includes('crash') ? 500 : 200).end('{}')
    })
    const gateway = await cutOver(old.url, mirror)
    for (const method of ['HEAD', 'POST', 'OPTIONS']) await fetch(gateway.url + lookup, { method })
    await fetch(gateway.url + lookup, { headers: { 'If-None-Match': '"x"' } })
    await bodyOf(`${gateway.url}/?crash`)
    await bodyOf(`${gateway.url}/?Event=AppLookup&Apps=99`)
    await expect.poll(() => results(gateway)).toEqual(['bytes'])
  })

  test('without CUTOVER_MIRROR, anything', async () => {
    const gateway = await cutOver((await startTwin()).url, behindProxy)
    await bodyOf(gateway.url + lookup)
    expect(results(gateway)).toEqual([])
  })
})

test('the guard counts both directions: clients of the old side show that the new side is worse', async () => {
  const old = await startTwin({ unknown: 'null' })
  const gateway = await cutOver(old.url, { ...mirror, CUTOVER_SHARE: '.000000001' })
  for (const client of [1, 2, 3])
    expect(await bodyOf(`${gateway.url}/?Event=AppLookup&Apps=90`, clientAt(client))).toBe('{"90":null}')
  await expect
    .poll(() => ofType(gateway, 'cutover-turned-back'))
    .toMatchObject([{ event: 'AppLookup', bad: 3, clients: 3 }])
})

test('an event at 0 does not turn back the others', async () => {
  const old = await startTwin({ unknown: 'null' })
  const gateway = await cutOver(old.url, { ...mirror, CUTOVER_SHARE: '0, ProfileLookup=.000000001' })
  const ask = async (query: string) => {
    for (const client of [1, 2, 3]) await bodyOf(`${gateway.url}/?Event=${query}`, clientAt(client))
  }
  await ask('AppLookup&Apps=90')
  await expect.poll(() => results(gateway)).toEqual(Array(3).fill('different'))
  expect(ofType(gateway, 'cutover-turned-back')).toEqual([])
  await ask('ProfileLookup&Users=90')
  await expect.poll(() => ofType(gateway, 'cutover-turned-back')).toMatchObject([{ event: 'ProfileLookup' }])
})
