// The explorer, however it is used: by keyboard alone, with a screen reader, on a phone, in the dark.

import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../../support/programs.ts'
import { gatewayAndBrowser, settled, visit } from './visit.ts'

const axe = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** What axe finds wrong that it calls serious or worse. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  const its = gatewayAndBrowser()

  const xml = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=ada:nobody&Format=XML'
  test.each([
    ['light', 'at first', ''],
    ['light', 'with XML', xml],
    ['light', 'with an error', 'Event=Nothing'],
    ['dark', 'at first', ''],
    ['dark', 'with XML', xml],
    ['dark', 'with an error', 'Event=Nothing'],
  ] as const)('%s, %s: axe finds nothing serious', async (colorScheme, _, query) => {
    const at = await visit(its.browser, its.gateway, query)
    await at.page.emulateMedia({ colorScheme })
    await at.answer.locator('summary').click()
    expect(await seriousFindings(at.page)).toEqual([])
    await at.leave()
  })

  test('axe would find something', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.page.evaluate(() => {
      for (const label of document.querySelectorAll('label')) label.remove()
    })
    expect((await seriousFindings(at.page)).join('\n')).toMatch(/select-name/)
    await at.leave()
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
    await at.page.getByLabel('PHP', { exact: true }).getByText('file_get_contents').waitFor()
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
    await at.page.getByRole('button', { name: 'Copy code' }).click()
    await at.page.getByRole('button', { name: 'Copied' }).waitFor()
    const code = `curl '${its.gateway.url}/?Event=ProfileLookup&Users=1:2'`
    expect(await at.page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    await at.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await at.page.getByRole('button', { name: 'Copy operation' }).click()
    await at.page.getByRole('button', { name: /^Selected/ }).waitFor()
    expect(await at.page.evaluate(() => String(getSelection()))).toContain('query ProfileLookup')
    await at.leave()
  })
})
