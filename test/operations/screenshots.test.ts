// The picture of docs/observing.md: `npm run screenshots` takes it anew, after some minutes of traffic.

import { readFileSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser, watchedPage } from '../gateway/pages/browser.ts'
import { hasProgram } from '../kit/programs.ts'
import { originOf } from '../kit/serving.ts'
import { startOldService } from '../old-service/start.ts'
import { startDemonstration, targets } from './demonstration.ts'

const root = new URL('../../', import.meta.url).pathname
const MINUTES = 4

describe.skipIf(!process.env.SCREENSHOTS || !hasProgram('chromium'))('picture', () => {
  test('of the page for operators', { timeout: (MINUTES + 2) * 60_000 }, async () => {
    const old = await startOldService({ unknown: 'null', serviceName: 'Acme' })
    onTestFinished(old.close)
    const { shown } = await startDemonstration(old.url)
    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const url = originOf(shown['Legacy JSON'])
    const end = Date.now() + MINUTES * 60_000
    for (let turn = 0; Date.now() < end; turn++) {
      const agent = ['PortalWidget/2.1', 'forum-bot/1.0', 'curl/8.5.0'][turn % 3] ?? ''
      const target = targets[turn % targets.length] ?? ''
      await (await fetch(url + target, { headers: { 'User-Agent': agent } })).arrayBuffer()
      await pause(15 + 10 * Math.sin(turn / 500))
    }
    const { page } = await watchedPage(browser)
    await page.setViewportSize({ width: 1280, height: 1000 })
    await page.goto(originOf(shown.Operations))
    await page.screenshot({ path: `${root}docs/operations.png` })
  })
})

test('the one that docs/observing.md shows is there, and small', () => {
  expect(readFileSync(`${root}docs/observing.md`, 'utf8')).toContain('](operations.png)')
  expect(statSync(`${root}docs/operations.png`).size).toBeLessThan(120 * 1024)
})
