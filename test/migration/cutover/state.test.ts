// CUTOVER_STATE: what an operator or the guard has set outlives the process, and several gateways share it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { filledFile } from '../../kit/gateway.ts'
import { type Served, startServe } from '../../kit/served.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { behindProxy, bodyOf, clientAt, lookup, startOld } from './support.ts'

async function setUp(place: Workplace) {
  const old = await startOld()
  await filledFile(join(place.path, 'lookup.db'))
  const folder = join(place.path, 'state')
  const file = join(folder, 'dial.json')
  mkdirSync(folder)
  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const all = { ...behindProxy, CUTOVER_URL: old.url, CUTOVER_STATE: file, ...settings }
    const served = await startServe(all, place.path)
    let stopping: Promise<void> | null = null
    const stop = () => {
      stopping ??= served.stop()
      return stopping
    }
    onTestFinished(stop)
    return { ...served, stop }
  }
  return { start, file, folder }
}

const state = async ({ admin }: Served) => JSON.parse(await bodyOf(`${admin}/cutover`))
const put = ({ admin }: Served, query: string) => fetch(`${admin}/cutover?${query}`, { method: 'PUT' })
const logged = ({ log }: Served, type: string) => log().filter((line) => line.type === type)
/** Three clients get responses that differ. */
async function provoke({ url }: Served): Promise<void> {
  for (const client of [1, 2, 3]) await bodyOf(url + lookup, clientAt(client))
}

test('the share that an operator has set outlives a restart', async ({ place }) => {
  const { start, folder } = await setUp(place)
  const first = await start({ CUTOVER_SHARE: '0.1' })
  await put(first, 'share=0.5')
  await put(first, 'share=0.75&event=AppLookup')
  await first.stop()
  const second = await start({ CUTOVER_SHARE: '0.1' })
  expect(await state(second)).toMatchObject({ share: 0.5, events: { AppLookup: 0.75 } })
  await expect.poll(() => logged(second, 'cutover-set')).toMatchObject([{ share: 0.5, source: 'state file' }])
  await second.stop()
  // Another CUTOVER_SHARE is a new order.
  const third = await start({ CUTOVER_SHARE: '0.2' })
  expect(await state(third)).toMatchObject({ share: 0.2, events: {} })
  await third.stop()
  expect(await state(await start({ CUTOVER_SHARE: '0.2' }))).toMatchObject({ share: 0.2 })
  expect(readdirSync(folder)).toEqual(['dial.json'])
})

test('what the guard has turned back is said everywhere, and stays so until it is set again', async ({
  place,
}) => {
  const { start } = await setUp(place)
  const settings = { CUTOVER_SHARE: '0.5, AppLookup=1' }
  const first = await start(settings)
  expect(await bodyOf(`${first.admin}/ready`)).toBe('ready\n')
  await provoke(first)
  await expect.poll(() => state(first)).toMatchObject({ share: 0, set: 0.5, guard: { state: 'back' } })
  const { guard } = await state(first)
  await first.stop()
  const second = await start(settings)
  expect(await state(second)).toMatchObject({ share: 0, set: 0.5, guard })
  await expect
    .poll(() => logged(second, 'cutover-turned-back'))
    .toMatchObject([{ level: 'error', before: 1, event: 'AppLookup', bad: 3, compared: 3, clients: 3 }])
  const read = (path: string) => bodyOf(`${second.admin}${path}`)
  expect(await read('/metrics')).toMatch(/^lookup_cutover_turned_back 1$/m)
  expect(await read('/ready')).toMatch(
    /^ready\ncutover: turned back from 0\.5, AppLookup=1 to 0 at 20\S+: 3 of 3 compared responses to AppLookup .*: PUT \/cutover\?share=0\.5, then PUT \/cutover\?share=1&event=AppLookup\n$/,
  )
  await put(second, 'share=0.25&event=AppLookup')
  expect(await state(second)).toMatchObject({
    ...{ share: 0, events: { AppLookup: 0.25 } },
    guard: { state: 'watching', compared: 0, bad: 0, since: null },
  })
  expect(await read('/ready')).toBe('ready\n')
  expect(await read('/metrics')).toMatch(/^lookup_cutover_turned_back 0$/m)
})

test('gateways share the file: each follows what another has set, and what its guard has done', async ({
  place,
}) => {
  const { start, file, folder } = await setUp(place)
  const link = join(place.path, 'link.json')
  symlinkSync(file, link)
  const gateways = [await start(), await start(), await start({ CUTOVER_STATE: link })] as const
  const shares = () => Promise.all(gateways.map(async (gateway) => (await state(gateway)).share))
  await put(gateways[0], 'share=1')
  await expect.poll(shares).toEqual([1, 1, 1])
  await provoke(gateways[1])
  await expect.poll(shares).toEqual([0, 0, 0])
  for (const gateway of gateways) {
    expect((await state(gateway)).guard).toMatchObject({ state: 'back', event: 'AppLookup', badClients: 3 })
    await expect.poll(() => logged(gateway, 'cutover-turned-back')).toHaveLength(1)
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
  expect((await state(gateway)).share).toBe(1)
  await expect
    .poll(() => logged(gateway, 'cutover-state-failed'))
    .toMatchObject([{ path: file, reason: expect.stringContaining('ENOENT') }])
  expect(await bodyOf(`${gateway.admin}/ready`)).toMatch(
    /^ready\ncutover: CUTOVER_STATE cannot be used: ENOENT/,
  )
  // Until the file holds the dial, the gateway tries again.
  mkdirSync(file, { recursive: true })
  await expect.poll(() => logged(gateway, 'cutover-state-failed')).toHaveLength(2)
  rmSync(file, { recursive: true })
  await expect.poll(() => bodyOf(`${gateway.admin}/ready`)).toBe('ready\n')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ share: 1 })
  rmSync(file)
  await expect.poll(() => existsSync(file)).toBe(true)
  writeFileSync(file, 'not a dial')
  await expect.poll(() => logged(gateway, 'cutover-state-failed')).toHaveLength(3)
  // Longer than between two looks at the file.
  await pause(1_500)
  expect(await bodyOf(`${gateway.admin}/ready`)).toContain('cutover: CUTOVER_STATE cannot be used: it is not')
  await put(gateway, 'share=0.5')
  expect(await bodyOf(`${gateway.admin}/ready`)).toBe('ready\n')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ share: 0.5 })
})

test('a file that is written again with the same dial is no change', async ({ place }) => {
  const { start, file } = await setUp(place)
  const gateway = await start({ CUTOVER_SHARE: '0.5' })
  writeFileSync(file, readFileSync(file, 'utf8').trim())
  // Longer than between two looks at the file.
  await pause(1_500)
  expect(logged(gateway, 'cutover-set')).toMatchObject([{ source: 'settings' }])
})
