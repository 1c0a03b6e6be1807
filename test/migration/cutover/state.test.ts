// CUTOVER_STATE: what an operator or the guard has set outlives the process, and several gateways share it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { bodyOf, clientAt, lookup, serveBeside, startOld } from './support.ts'

type Beside = Awaited<ReturnType<typeof serveBeside>>

async function setUp(place: Workplace) {
  const old = await startOld()
  const folder = join(place.path, 'state')
  const file = join(folder, 'dial.json')
  mkdirSync(folder)
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    serveBeside(place, old.url, { CUTOVER_STATE: file, ...settings })
  return { start, file, folder }
}

const put = ({ admin }: Beside, query: string) => fetch(`${admin}/cutover?${query}`, { method: 'PUT' })
/** Three clients get responses that differ. */
async function provoke({ url }: Beside): Promise<void> {
  for (const client of [1, 2, 3]) await bodyOf(url + lookup, clientAt(client))
}

test('the share that an operator has set outlives a restart', async ({ place }) => {
  const { start, folder } = await setUp(place)
  const first = await start({ CUTOVER_SHARE: '0.1' })
  await put(first, 'share=0.5')
  await put(first, 'share=0.75&event=AppLookup')
  await first.stop()
  const second = await start({ CUTOVER_SHARE: '0.1' })
  expect(await second.state()).toMatchObject({ share: 0.5, events: { AppLookup: 0.75 } })
  await expect.poll(() => second.logged('cutover-set')).toMatchObject([{ share: 0.5, source: 'state file' }])
  await second.stop()
  // Another CUTOVER_SHARE is a new order.
  const third = await start({ CUTOVER_SHARE: '0.2' })
  expect(await third.state()).toMatchObject({ share: 0.2, events: {} })
  await third.stop()
  expect(await (await start({ CUTOVER_SHARE: '0.2' })).state()).toMatchObject({ share: 0.2 })
  expect(readdirSync(folder)).toEqual(['dial.json'])
})

test('what the guard has turned back is said everywhere, and stays so until it is set again', async ({
  place,
}) => {
  const { start } = await setUp(place)
  const settings = { CUTOVER_SHARE: '0.5, AppLookup=1' }
  const first = await start(settings)
  expect(await first.get('/ready')).toBe('ready\n')
  await provoke(first)
  await expect.poll(first.state).toMatchObject({ share: 0, set: 0.5, guard: { state: 'back' } })
  const { guard } = await first.state()
  await first.stop()
  const second = await start(settings)
  expect(await second.state()).toMatchObject({ share: 0, set: 0.5, guard })
  await expect
    .poll(() => second.logged('cutover-turned-back'))
    .toMatchObject([{ level: 'error', before: 1, event: 'AppLookup', bad: 3, compared: 3, clients: 3 }])
  expect(await second.get('/metrics')).toMatch(/^lookup_cutover_turned_back 1$/m)
  expect(await second.get('/ready')).toMatch(
    /^ready\ncutover: turned back from 0\.5, AppLookup=1 to 0 at 20\S+: 3 of 3 compared responses to AppLookup .*: PUT \/cutover\?share=0\.5, then PUT \/cutover\?share=1&event=AppLookup\n$/,
  )
  await put(second, 'share=0.25&event=AppLookup')
  expect(await second.state()).toMatchObject({
    ...{ share: 0, events: { AppLookup: 0.25 } },
    guard: { state: 'watching', compared: 0, bad: 0, since: null },
  })
  expect(await second.get('/ready')).toBe('ready\n')
  expect(await second.get('/metrics')).toMatch(/^lookup_cutover_turned_back 0$/m)
})

test('gateways share the file: each follows what another has set, and what its guard has done', async ({
  place,
}) => {
  const { start, file, folder } = await setUp(place)
  const link = join(place.path, 'link.json')
  symlinkSync(file, link)
  const gateways = [await start(), await start(), await start({ CUTOVER_STATE: link })] as const
  const shares = () => Promise.all(gateways.map(async (gateway) => (await gateway.state()).share))
  await put(gateways[0], 'share=1')
  await expect.poll(shares).toEqual([1, 1, 1])
  await provoke(gateways[1])
  await expect.poll(shares).toEqual([0, 0, 0])
  for (const gateway of gateways) {
    expect((await gateway.state()).guard).toMatchObject({ state: 'back', event: 'AppLookup', badClients: 3 })
    await expect.poll(() => gateway.logged('cutover-turned-back')).toHaveLength(1)
  }
  await put(gateways[2], 'share=0.5')
  await expect.poll(shares).toEqual([0.5, 0.5, 0.5])
  // A symbolic link to the file stays one.
  expect(readdirSync(folder)).toEqual(['dial.json'])
  // A file that is gone is written again with the next change.
  rmSync(file)
  await put(gateways[0], 'share=0.25')
  await expect.poll(shares).toEqual([0.25, 0.25, 0.25])
})

test.for([
  ['a share beyond 1', '{"share":2,"events":{},"setting":{"share":0,"events":{}},"back":null}'],
  ['an unknown event', '{"share":1,"events":{"X":1},"setting":{"share":0,"events":{}},"back":null}'],
])('%s is not overwritten: the gateway does not start', async ([, text = ''], { place }) => {
  const { start, file } = await setUp(place)
  writeFileSync(file, text)
  await expect(start()).rejects.toThrow(
    `CUTOVER_STATE: the file ${file} cannot be used: it is not the state of a dial. Name another file.`,
  )
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a file that becomes unusable is named, and the dial works on', async ({ place }) => {
  const { start, file, folder } = await setUp(place)
  const gateway = await start()
  rmSync(folder, { recursive: true })
  expect((await put(gateway, 'share=1')).status).toBe(200)
  expect((await gateway.state()).share).toBe(1)
  await expect
    .poll(() => gateway.logged('cutover-state-failed'))
    .toMatchObject([{ path: file, reason: expect.stringContaining('ENOENT') }])
  expect(await gateway.get('/ready')).toMatch(/^ready\ncutover: CUTOVER_STATE cannot be used: ENOENT/)
  // Until the file holds the dial, the gateway tries again.
  mkdirSync(file, { recursive: true })
  await expect.poll(() => gateway.logged('cutover-state-failed')).toHaveLength(2)
  rmSync(file, { recursive: true })
  await expect.poll(() => gateway.get('/ready')).toBe('ready\n')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ share: 1 })
  rmSync(file)
  await expect.poll(() => existsSync(file)).toBe(true)
  writeFileSync(file, 'not a dial')
  await expect.poll(() => gateway.logged('cutover-state-failed')).toHaveLength(3)
  // Longer than between two looks at the file.
  await pause(1_500)
  expect(await gateway.get('/ready')).toContain('cutover: CUTOVER_STATE cannot be used: it is not')
  await put(gateway, 'share=0.5')
  expect(await gateway.get('/ready')).toBe('ready\n')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ share: 0.5 })
})

test('a file that is written again with the same dial is no change', async ({ place }) => {
  const { start, file } = await setUp(place)
  const gateway = await start({ CUTOVER_SHARE: '0.5' })
  writeFileSync(file, readFileSync(file, 'utf8').trim())
  // Longer than between two looks at the file.
  await pause(1_500)
  expect(gateway.logged('cutover-set')).toMatchObject([{ source: 'settings' }])
})
