// The largest reports there can be, of hostile texts: their size has a bound, and a phone opens them.

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import type { ReplayReport } from '../../src/migration/replay/report.ts'
import { startAnswering } from '../kit/answering.ts'
import { test as base } from './browser.ts'

const hostile = `"><script>document.title='taken'</script><img src=x onerror="document.title='taken'">\u202e`
const PHONE = 390
const MIB = 1024 * 1024

const test = base.extend('openOnPhone', ({ openPage, place }) => async (file: string) => {
  const { page } = await openPage(PHONE)
  await page.goto(`file://${join(place.path, file)}`)
  expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(PHONE)
  expect(await page.title()).not.toBe('taken')
  expect(await page.locator('script, img').count()).toBe(0)
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll('tr, .cause')].flatMap((one) =>
      one.closest('details:not([open])') === null ? [one.getBoundingClientRect().height] : [],
    ),
  )
  return { page, tallest: Math.max(...rows), height: await page.evaluate(() => document.body.scrollHeight) }
})

async function startWith(entryOf: (url: string) => object): Promise<string> {
  const service = await startAnswering(
    ({ url = '' }, response) => void response.end(JSON.stringify({ 1: entryOf(url) })),
  )
  onTestFinished(service.close)
  return service.url
}

describe('the largest', () => {
  test('replay: 500 causes, and 500 more that are ignored', async ({ place, openOnPhone }) => {
    const fields = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`${at}${hostile}`, `${text}${hostile}`.repeat(9)]),
      )
    const long = { ['x'.repeat(MIB)]: 'y'.repeat(MIB) }
    const old = await startWith((url) => ({ ...fields(url), Rank: 1, ...long }))
    const fresh = await startWith(() => ({ ...fields('new'), Rank: 2 }))
    const targets = Array.from({ length: 600 }, (_, at) => `/?Event=${at}${"'%3Cb%3E&".repeat(200)}\n`)
    place.write('access.log', targets.join(''))
    const args = ['--old', old, '--new', fresh, '--ignore', 'Rank', '--rate', '1000', '--limit', '8']
    const reports = ['--html', 'r.html', '--json', 'r.json']
    expect((await place.run(['replay', 'access.log', ...args, ...reports])).status).toBe(1)
    const { groups }: ReplayReport = JSON.parse(readFileSync(join(place.path, 'r.json'), 'utf8'))
    expect(groups.length).toBeGreaterThan(490)
    expect(statSync(join(place.path, 'r.html')).size).toBeLessThan(10 * MIB)

    const { page, tallest, height } = await openOnPhone('r.html')
    expect(tallest).toBeLessThan(2_500)
    expect(height).toBeLessThan(100_000)
    expect(await page.locator('.cause:visible').count()).toBe(50)
    await page.locator('summary', { hasText: 'Differences in meaning, by cause: 51 to 100 of' }).click()
    expect(await page.locator('.cause:visible').count()).toBe(100)
  })
})
