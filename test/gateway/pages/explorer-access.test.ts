// The explorer, however it is used: by keyboard alone, with a screen reader, on a phone, in the dark.

import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { startGateway } from '../../support/gateway.ts'
import { hasProgram } from '../../support/programs.ts'
import { coveredByRing } from './ring.ts'
import { gatewayAndBrowser, settled, visit } from './visit.ts'

const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** What axe finds wrong, trifles and its best practices included. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  const its = gatewayAndBrowser()

  const xml = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=ada:nobody&Format=XML'
  const long = `Event=ProfileLookup&Users=${Array.from({ length: 1000 }, (_, at) => at + 1).join(':')}`
  const states = [
    ['at first', ''],
    ['with XML', xml],
    ['with an error', 'Event=Nothing'],
    ['with a thousand values', long],
  ] as const
  const looks = [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const
  const all = looks.flatMap((look) => states.map((state) => [...look, ...state] as const))
  test.each(all)('%s, %i wide, %s: axe finds nothing', async (colorScheme, width, _, query) => {
    const at = await visit(its.browser, its.gateway, query, width)
    await at.page.emulateMedia({ colorScheme })
    await at.answer.locator('summary').click()
    if (width === 390) await at.page.locator('#build summary').click()
    expect(await findings(at.page)).toEqual([])
    await at.leave()
  })

  test('axe would find something', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.page.evaluate(() => {
      for (const label of document.querySelectorAll('label')) label.remove()
    })
    expect((await findings(at.page)).join('\n')).toMatch(/select-name/)
    await at.leave()
  })

  test.each(states)('on a phone, %s: what is touched is 44 pixels high and wide', async (_, query) => {
    const at = await visit(its.browser, its.gateway, query, 390)
    await at.page.locator('#build summary').click()
    const targets = at.page.locator(
      'a:visible, button:visible, input:visible, select:visible, summary:visible',
    )
    expect(await targets.count()).toBeGreaterThan(15)
    for (const target of await targets.all()) {
      const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
      expect(
        Math.min(width, height),
        await target.evaluate(({ outerHTML }) => outerHTML),
      ).toBeGreaterThanOrEqual(44)
    }
    await at.leave()
  })

  test.each(looks)(
    '%s, %i wide: rings around what has the focus cover nothing',
    async (colorScheme, width) => {
      const at = await visit(its.browser, its.gateway, long, width)
      await at.page.emulateMedia({ colorScheme })
      await at.page.locator('#request').focus()
      const covered: string[] = []
      let rings = 0
      for (; rings < 60; rings++) {
        covered.push(...(await at.page.evaluate(coveredByRing)))
        await at.page.keyboard.press('Tab')
        if (await at.page.evaluate(() => document.activeElement === document.body)) break
      }
      expect(rings).toBeGreaterThan(20)
      expect(covered).toEqual([])
      await at.leave()
    },
  )

  test('a thousand values are folded, and unfolded by the keyboard', async () => {
    const at = await visit(its.browser, its.gateway, long)
    const elements = () => at.page.evaluate(() => document.querySelectorAll('*').length)
    const before = await elements()
    expect(before).toBeLessThan(3000)
    const values = at.page.getByRole('row', { name: /^Values/ })
    expect(await values.locator('code').count()).toBe(20)
    const more = values.getByRole('button', { name: 'Show 980 more values' })
    await more.focus()
    await at.page.keyboard.press('Enter')
    expect(await values.locator('code').allTextContents()).toHaveLength(1000)
    expect(await more.count()).toBe(0)
    // The focus stays where it was.
    expect(await at.page.evaluate(() => document.activeElement?.className)).toBe('values')
    await at.page.getByRole('button', { name: 'Show 985 more lines' }).click()
    const variables = await at.page.getByLabel('Variables').textContent()
    expect(JSON.parse(variables ?? '').values).toHaveLength(1000)
    await at.leave()
  })

  test('a long response is folded, and can be read to its end', async () => {
    const values = Array.from({ length: 300 }, () => '1:2:3').join(':')
    const gateway = await startGateway({ LEGACY_DUPLICATES: 'each' })
    const at = await visit(its.browser, gateway, `Event=ProfileLookup&Users=${values}&Format=XML`)
    const lines = async () => {
      const text = await at.answer.getByLabel('XML response', { exact: true }).textContent()
      return text?.trim().split('\n')
    }
    // Each entry has nine lines; there is a declaration and a root around them.
    const all = 3 + 900 * 9
    expect(await lines()).toHaveLength(300)
    const more = at.answer.getByRole('button', { name: /more lines$/ })
    expect(await more.textContent()).toBe(`Show 1,000 of ${(all - 300).toLocaleString('en')} more lines`)
    for (let shown = 300; shown < all; shown += 1000) {
      expect(await lines()).toHaveLength(shown)
      await more.click()
    }
    expect(await lines()).toHaveLength(all)
    expect((await lines())?.at(-1)).toBe('</ServiceAPI>')
    expect(await more.count()).toBe(0)
    await at.leave()
    await gateway.close()
  })

  test('by keyboard alone: a request is typed, looked up, read in XML, and taken as PHP', async () => {
    const at = await visit(its.browser, its.gateway)
    const { keyboard } = at.page
    const focused = () =>
      at.page.evaluate(
        () => `${document.activeElement?.id} ${document.activeElement?.textContent?.slice(0, 20)}`,
      )
    const tabTo = async (what: RegExp) => {
      for (let presses = 0; presses < 30 && !what.test(await focused()); presses++)
        await keyboard.press('Tab')
      expect(await focused()).toMatch(what)
    }
    await tabTo(/^request /)
    await keyboard.press('Control+A')
    await keyboard.type('Event=AppLookup&Apps=1')
    await keyboard.press('Enter')
    await at.answer.getByText('Pocket Almanac').first().waitFor()
    await settled(at.page)
    await tabTo(/JSON$/)
    await keyboard.press('ArrowRight')
    await at.answer.getByText('<ServiceAPI').first().waitFor()
    await tabTo(/Raw bytes/)
    await keyboard.press('Space')
    expect(await at.answer.locator('pre.raw').textContent()).toMatch(
      /^<\?xml version="1\.0"\?>\n<ServiceAPI>/,
    )
    await tabTo(/curl$/)
    await keyboard.press('ArrowRight')
    await at.page.getByLabel('legacy code, PHP', { exact: true }).getByText('file_get_contents').waitFor()
    // What has the focus can be seen.
    const outline = () =>
      at.page.evaluate(() => document.activeElement && getComputedStyle(document.activeElement).outlineStyle)
    expect(await outline()).toBe('solid')
    await at.leave()
  })

  test.each([
    ['', 320],
    ['', 375],
    [xml, 320],
    [`Event=AppLookup&Apps=${'1:'.repeat(300)}`, 320],
    [`Event=${'x'.repeat(300)}`, 320],
  ])('%s fits a width of %i', async (query, width) => {
    const at = await visit(its.browser, its.gateway, query, width)
    expect(await at.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await at.leave()
  })

  test('what is copied is what is shown, and where nothing can be copied it is selected', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await at.page.getByRole('button', { name: 'Copy legacy code' }).click()
    await at.page.getByRole('button', { name: 'Copied' }).waitFor()
    const code = `curl '${its.gateway.url}/?Event=ProfileLookup&Users=1:2'`
    expect(await at.page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    await at.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await at.page.getByRole('button', { name: 'Copy query' }).click()
    await at.page.getByRole('button', { name: /^Selected/ }).waitFor()
    expect(await at.page.evaluate(() => String(getSelection()))).toContain('query ProfileLookup')
    await at.leave()
  })
})
