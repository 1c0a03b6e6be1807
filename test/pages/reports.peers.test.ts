// Reports as commands write them, in a real browser: for everybody, on a phone, on paper, and without scripts.

import { readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openBrowser } from '../gateway/pages/browser.ts'
import { hasProgram } from '../kit/programs.ts'
import { makeReports, type ReportName, type Reports, reportNames } from './reports.ts'

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

const PHONE = 390
/** What A4 has between its margins, in CSS pixels. */
const PAPER = 703

describe.skipIf(!hasProgram('chromium') || !hasProgram('php'))('reports', () => {
  let reports: Reports
  let browser: Browser
  beforeAll(async () => {
    reports = await makeReports()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await reports.remove()
  })

  async function open(name: ReportName, options: Parameters<Browser['newPage']>[0]): Promise<Page> {
    const page = await browser.newPage({ ...options, offline: true })
    onTestFinished(() => page.close())
    await page.goto(reports.fileOf(name))
    return page
  }

  const all = reportNames.map((name) => [name] as const)
  const schemes = reportNames.flatMap((name) => [
    [name, 'light', PHONE] as const,
    [name, 'dark', 1280] as const,
  ])

  test.each(schemes)('%s, %s, %i pixels: axe finds nothing', async (name, colorScheme, width) => {
    const page = await open(name, { colorScheme, viewport: { width, height: 800 } })
    for (const summary of await page.locator('summary').all()) await summary.click()
    await page.evaluate(axe)
    const { violations, passes } = await page.evaluate<AxeResults>('axe.run()')
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))])).toEqual(
      [],
    )
    expect(passes.length).toBeGreaterThan(15)
  })

  test.each(all)(
    '%s fits a phone: the page does not scroll sideways, tables do, and no word is broken',
    async (name) => {
      const page = await open(name, { viewport: { width: PHONE, height: 844 } })
      for (const summary of await page.locator('summary').all()) await summary.click()
      expect(await widthOf(page)).toBe(PHONE)
      expect(await brokenWords(page)).toEqual([])
      expect(await wideElements(page)).toEqual([])
      // By the keyboard, too.
      const [scrolled] = await page.locator('.scroll').all()
      await scrolled?.focus()
      expect(await page.evaluate(() => document.activeElement?.className)).toBe('scroll')
    },
  )

  test.each(all)('%s on paper: no table is cut, and no word is broken', async (name) => {
    const page = await open(name, { viewport: { width: PAPER, height: 1000 } })
    await page.emulateMedia({ media: 'print' })
    expect(await widthOf(page)).toBe(PAPER)
    const beyond = await page.evaluate(
      (width) =>
        [...document.querySelectorAll('td, th')].filter(
          (cell) => cell.getBoundingClientRect().right > width + 1,
        ).length,
      PAPER,
    )
    expect(beyond).toBe(0)
    expect(await brokenWords(page)).toEqual([])
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000)
  })

  test.each(all)('%s needs neither scripts nor any host', async (name) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: PHONE, height: 844 },
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(reports.fileOf(name))
    for (const summary of await page.locator('summary').all()) await summary.click()
    expect(await page.locator('details:not([open])').count()).toBe(0)
    expect(await page.locator('script, img, link, iframe, a').count()).toBe(0)
    expect(asked).toEqual([reports.fileOf(name)])
  })

  test('each says its verdict first, in words', async () => {
    const firstOf = async (name: ReportName | 'proven') => {
      const page = await browser.newPage()
      onTestFinished(() => page.close())
      await page.goto(reports.fileOf(name))
      return page.locator('.verdict').innerText()
    }
    expect(await firstOf('replay')).toMatch(
      /^Different\. The responses to 6 of 8 distinct requests differ in meaning: /,
    )
    expect(await firstOf('proven')).toBe(
      'Same meaning. The responses to all 8 distinct requests mean the same.',
    )
    expect(await firstOf('probe')).toMatch(/^Different\. The settings come closest/)
    expect(await firstOf('census')).toBe(
      'Still in use. 16 clients call the legacy interface. The last request was on 2026-11-22.',
    )
  })

  test('a replay marks what differs, and shows it one below the other', async () => {
    const page = await open('replay', { viewport: { width: PHONE, height: 844 } })
    const cause = page.locator('.cause', {
      hasText: 'ProfileLookup id XML answer: different name of the XML root',
    })
    expect(await cause.locator('mark').allInnerTexts()).toEqual(['AcmeAPI', 'ServiceAPI'])
    const [old, fresh] = await Promise.all(
      (await cause.locator('mark').all()).map((mark) => mark.boundingBox()),
    )
    expect(fresh?.x).toBe(old?.x)
    expect(fresh?.y).toBeGreaterThan(old?.y ?? Infinity)
  })

  test.each(['replay', 'probe'] as const)('the bar of a %s has no two parts alike', async (name) => {
    const page = await open(name, {})
    const fills = await page
      .locator('.parts > svg > rect, .swatch rect')
      .evaluateAll((rects) =>
        rects.map((rect) => `${rect.getAttribute('class')} ${getComputedStyle(rect).fill}`),
      )
    const distinct = new Set(fills)
    expect(distinct.size).toBeGreaterThanOrEqual(4)
    expect(new Set([...distinct].map((fill) => fill.split(' ')[1])).size).toBe(distinct.size)
  })
})

const widthOf = (page: Page) => page.evaluate(() => document.scrollingElement?.scrollWidth)

/** What is wider than the page, but for what scrolls by itself. */
function wideElements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((one) => one.closest('.scroll > *, svg') === null)
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.outerHTML.slice(0, 100)),
  )
}

/**
 * Words that stand in more than one line, in headings, verdicts, figures and cells that are not `long`; those of
 * an address, say, may.
 */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = []
    for (const one of document.querySelectorAll(
      'h1, h2, h3, th, td:not(.long), .verdict, .figures, summary',
    )) {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const text = walker.currentNode
        for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[^\s-]+/g)) {
          if (word.length > 20) continue
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
          if (lines.size > 1) broken.push(word)
        }
      }
    }
    return broken
  })
}
