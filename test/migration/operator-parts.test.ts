// What the page for operators shows of a migration: the dial, what comparing came to, and who is left.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readLeft } from '../../src/migration/census/live/left.ts'
import { writeVisits } from '../../src/migration/census/live/write.ts'
import { startAnswering } from '../kit/answering.ts'
import { originOf, type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { look, plain, sectionOf } from '../operations/look.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const start = (env: Readonly<Record<string, string>>, ...flags: string[]) =>
  serve({ cwd: place.path, env: { LOG_LEVEL: 'silent', ...env } }, ...flags)
const read = async (serving: Serving, title: string) => sectionOf((await look(serving)).body, title)
const ask = async ({ shown }: Serving, query = 'Event=ProfileLookup&Users=1') =>
  (await fetch(`${originOf(shown['Legacy JSON'])}/?${query}`)).text()

async function startOld(answer: string) {
  const old = await startAnswering((_, response) => void response.end(answer))
  onTestFinished(old.close)
  return old
}

describe('the dial', () => {
  test('shows where it stands, how to turn it, and what is next', async () => {
    const old = await startOld('{}')
    const serving = await start({ CUTOVER_URL: old.url, CUTOVER_GUARD: 'off' }, '--workers', '2')
    const dial = () => read(serving, 'The dial')
    const said = await dial()
    expect(said).toContain('The gateway answers 0.00 % of the legacy clients')
    expect(said).toContain('The guard is off.')
    expect(said).toContain('Next: give the gateway a small share')
    // As the page has it.
    const [, command = ''] = /Set it: (curl .*?) \. See/.exec(said) ?? []
    const { host } = new URL(originOf(serving.shown.Operations))
    expect(command).toBe(`curl -X PUT 'http://${host}/cutover?share=0.1'`)
    await fetch(`http://${host}/cutover?share=0.1`, { method: 'PUT' })
    expect(await dial()).toContain('The gateway answers 10.00 % of the legacy clients')
    expect(await dial()).toContain('Next: raise the share')
    await fetch(`http://${host}/cutover?share=1`, { method: 'PUT' })
    for (let time = 0; time < 3; time++) await ask(serving)
    await expect.poll(dial).toContain('the gateway 3 0 0 0')
    expect(await dial()).toContain('Next: announce the end')
  })

  test('says that the guard has turned it back, and why', async () => {
    const old = await startOld('{"1":{"Id":2}}')
    const serving = await start({
      ...{ CUTOVER_URL: old.url, CUTOVER_SHARE: '1', CUTOVER_GUARD: '0' },
      ...{ SHADOW_URL: old.url, SHADOW_SAMPLE: '1' },
    })
    await ask(serving)
    await expect
      .poll(() => read(serving, 'The dial'))
      .toMatch(/turned the dial back from 1 to 0 at .*: 1 of 1 compared responses differed or failed\./)
    const { body } = await look(serving)
    expect(sectionOf(body, 'The dial')).toContain('Next: fix the cause')
    // For the eye that looks at the top only.
    expect(plain(body.split('<main>')[0] ?? '')).toContain('cutover: turned back from 1 to 0')
  })
})

describe('comparing', () => {
  test('counts what is the same and what differs, by field, without values', async () => {
    const old = await startOld('{"1":{"Id":2,"ZQ7":"zq7"}}')
    const env = { SHADOW_URL: old.url, SHADOW_SAMPLE: '1' }
    const serving = await start(env, '--workers', '2')
    const compared = () => read(serving, 'Compared with the old service')
    expect(await compared()).toContain('No response was compared yet.')
    for (let time = 0; time < 3; time++) await ask(serving)
    await ask(serving, 'Event=Zq7&Users=zq7')
    await expect.poll(compared).toContain('4 of 4 compared responses differ in meaning (100.00 %).')
    const said = await compared()
    expect(said).toMatch(/ProfileLookup JSON Id different value 3/)
    expect(said).toMatch(/ProfileLookup JSON other missing in the new response 3/)
    expect(said).toMatch(/other JSON answer .* 1/)
    expect(said).toContain('Next: run lookup probe')
    expect(said).not.toMatch(/zq7/i)
  })

  test('without an old service, there is no such section', async () => {
    const { body } = await look(await start({}))
    for (const title of ['The dial', 'Compared with the old service', 'Who is left'])
      expect(sectionOf(body, title)).toBe('')
  })
})

describe('who is left', () => {
  const DAY_MS = 86_400_000
  const today = Math.floor(Date.now() / DAY_MS)
  const asked = { event: 'AppLookup', method: '', format: 'JSON', problem: '' }
  const visit = (client: number, agent: string, day: number, requests = 1) => ({
    ...{ key: '', address: `10.0.${client >> 8}.${client & 255}`, agent, referer: '' },
    ...{ first: day * DAY_MS, last: day * DAY_MS },
    asked: new Map([['', { ...asked, day, requests }]]),
  })
  const write = (visits: readonly ReturnType<typeof visit>[]) => {
    const file = join(place.path, 'c.census')
    writeVisits({ file, keyFile: null }, visits)
    return file
  }

  test('programs by name with their clients, requests and days, and clients a day', async () => {
    const file = write([
      ...Array.from({ length: 2500 }, (_, at) => visit(at, 'Widget/1.0', today, 2)),
      ...Array.from({ length: 10 }, (_, at) => visit(at, 'Widget/1.0', today - 2)),
      visit(3000, '<img src=x onerror=alert(1)>/1', today - 1, 9000),
      ...Array.from({ length: 30 }, (_, at) => visit(at, `Rare${'x'.repeat(at)}/1`, today - 100)),
    ])
    const left = readLeft(file)
    expect(left).toMatchObject({ clients: 2531, requests: 14_040, more: 17 })
    expect(left?.days).toHaveLength(101)
    expect(left?.days.slice(-3).map(({ clients, requests }) => [clients, requests])).toEqual([
      [10, 10],
      [1, 9000],
      [2500, 5000],
    ])
    const serving = await start({ CENSUS_FILE: file })
    const { body } = await look(serving)
    const said = sectionOf(body, 'Who is left')
    expect(said).toContain('2,531 clients, 14,040 requests')
    expect(said).toMatch(/Widget 2,500 5,010 .* ·+▁·▇ /)
    expect(said).toContain('17 more names.')
    expect(body).not.toContain('<img')
    expect(body).not.toContain('10.0.0.1')
  })

  test.each([
    ['is no census', 'hello', 'is not a census file.'],
    ['is not there', null, 'No client was counted yet.'],
  ])('a file that %s is no reason to fail', async (_, content, said) => {
    const file = join(place.path, 'c.census')
    const serving = await start({ CENSUS_FILE: file })
    if (content !== null) writeFileSync(file, content)
    expect(await read(serving, 'Who is left')).toContain(said)
  })

  test('a damaged census is named', async () => {
    const file = write([visit(1, 'Widget/1.0', today)])
    const serving = await start({ CENSUS_FILE: file })
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(file)
    database.exec('DROP TABLE day')
    database.close()
    expect(await read(serving, 'Who is left')).toMatch(/Cannot read the census: .*no such table: day/)
  })
})
