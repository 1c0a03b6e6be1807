// The page for operators in a real browser: on a phone, in the dark, without scripts, and for assistive
// tools.

import { describe, expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { originOf } from '../kit/serving.ts'
import { violationsIn } from '../pages/axe.ts'
import { test as base } from '../pages/browser.ts'
import { startDemonstration } from './demonstration.ts'

const test = base.extend('address', async ({ shared: _ }) => {
  const old = await startAnswering((_, response) => void response.end('{"1":{"Id":2}}'))
  onTestFinished(old.close)
  return `${originOf((await startDemonstration(old.url)).shown.Operations)}/`
})

describe('the page for operators', () => {
  test('wide, on a phone, and in the dark: axe finds nothing, and nothing is wider than the page', {
    timeout: 180_000,
  }, async ({ address, openPage }) => {
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page, hosts, complaints } = await openPage(width)
        await page.emulateMedia({ colorScheme })
        await page.goto(`${address}?refresh=off`)
        expect(await violationsIn(page), `${width} ${colorScheme}`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect([...hosts]).toEqual([new URL(address).host])
        expect(complaints).toEqual([])
      }
  })

  test('without scripts, it refreshes itself until it is paused', async ({ address, browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(address)
    const when = () => page.locator('header .faint').first().innerText()
    const first = await when()
    await expect.poll(when).not.toBe(first)
    await page.getByRole('link', { name: 'Pause' }).click()
    await page.getByText('Automatic refresh is off.').waitFor()
  })
})
