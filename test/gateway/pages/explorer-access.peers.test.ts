// The explorer by keyboard alone, with a screen reader, on a phone, and in the dark.

import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../../kit/programs.ts'
import { gatewayAndBrowser, settled, visit } from './visit.ts'

const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Every violation that axe finds, its best practices included. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const xml = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=ada:nobody&Format=XML'
const long = `Event=ProfileLookup&Users=${Array.from({ length: 1000 }, (_, at) => at + 1).join(':')}`
const states = [
  ['with XML', xml],
  ['with an error', `Event=${'x'.repeat(300)}`],
  ['with a thousand values', long],
] as const

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  const its = gatewayAndBrowser()

  test.each(states)('%s: axe finds nothing, in the light, in the dark, and on a phone', async (_, query) => {
    for (const width of [1280, 390]) {
      const { page } = await visit(its.browser, its.gateway.url, query, width)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await findings(page), `${width} ${colorScheme}`).toEqual([])
      }
      await page.context().close()
    }
  })

  test('axe would find something', async () => {
    const { page } = await visit(its.browser, its.gateway.url)
    await page.evaluate(() => {
      for (const label of document.querySelectorAll('label')) label.remove()
    })
    expect((await findings(page)).join('\n')).toMatch(/select-name/)
    await page.context().close()
  })

  test.each(states)('%s: it fits a phone, and controls are as large as a finger', async (_, query) => {
    const { page } = await visit(its.browser, its.gateway.url, query, 320)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    for (const target of await page.locator('a:visible, button:visible, input, select').all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      const markup = await target.evaluate(({ outerHTML }) => outerHTML)
      expect(Math.min(width, height), markup).toBeGreaterThanOrEqual(44)
    }
    await page.context().close()
  })

  test('by keyboard alone: a request is typed, looked up, and its response scrolled', async () => {
    const at = await visit(its.browser, its.gateway.url, long)
    const { keyboard } = at.page
    const focused = () =>
      at.page.evaluate(() => `${document.activeElement?.id} ${document.activeElement?.textContent}`)
    const tabTo = async (what: RegExp) => {
      for (let presses = 0; presses < 30 && !what.test(await focused()); presses++)
        await keyboard.press('Tab')
      expect(await focused()).toMatch(what)
      const outline = () =>
        at.page.evaluate(
          () => document.activeElement && getComputedStyle(document.activeElement).outlineStyle,
        )
      expect(await outline()).toBe('solid')
    }
    await tabTo(/^request /)
    await keyboard.press('Control+A')
    await keyboard.type('Event=AppLookup&Apps=1:2:3:4:5:6:7')
    await keyboard.press('Enter')
    await at.body.getByText('Pocket Almanac').waitFor()
    await settled(at.page)
    await tabTo(/^event /)
    // The focus stays on the control that makes others anew.
    await keyboard.press('ArrowUp')
    expect(await focused()).toMatch(/^event /)
    await settled(at.page)
    await at.body.getByText('"Ada"').waitFor()
    await at.page.goBack()
    await at.page.goBack()
    await settled(at.page)
    await tabTo(/^body /)
    await keyboard.press('End')
    await expect.poll(() => at.body.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
    await tabTo(/Open in GraphiQL/)
    await at.page.context().close()
  })
})
