// The explorer by keyboard alone, with a screen reader, on a phone, and in the dark.

import { describe, expect } from 'vitest'
import { violationsIn } from './axe.ts'
import { settled, test } from './visit.ts'

const xml = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=ada:nobody&Format=XML'
const long = `Event=ProfileLookup&Users=${Array.from({ length: 1000 }, (_, at) => at + 1).join(':')}`
const states = [
  ['with XML', xml],
  ['with an error', `Event=${'x'.repeat(300)}`],
  ['with a thousand values', long],
] as const

describe('the explorer', () => {
  test.for(states)(
    '%s: axe finds nothing, in the light, in the dark, and on a phone',
    async (row, { visit }) => {
      for (const width of [1280, 390]) {
        const { page } = await visit({ query: row[1], width })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await violationsIn(page), `${width} ${colorScheme}`).toEqual([])
        }
      }
    },
  )

  test.for(states)('%s: it fits a phone, and controls are as large as a finger', async (row, { visit }) => {
    const { page } = await visit({ query: row[1], width: 320 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    for (const target of await page.locator('a:visible, button:visible, input, select').all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      const markup = await target.evaluate(({ outerHTML }) => outerHTML)
      expect(Math.min(width, height), markup).toBeGreaterThanOrEqual(44)
    }
  })

  test('by keyboard alone: a request is typed, looked up, and its response scrolled', async ({ visit }) => {
    const at = await visit({ query: long })
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
  })
})
