// The pictures of the documentation: `npm run screenshots` takes them anew.

import { readdirSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pages, readPage, root } from '../../kit/documentation.ts'
import { hasProgram } from '../../kit/programs.ts'
import { originOf } from '../../kit/serving.ts'
import { startOldService } from '../../old-service/start.ts'
import { askAll, startDemonstration } from '../../operations/demonstration.ts'
import { makeReports } from '../../pages/reports.ts'
import { gatewayAndBrowser, visit } from './visit.ts'

const query =
  'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=s%C3%B8ren:mallory:nobody&Format=XML'

describe.skipIf(!process.env.SCREENSHOTS || !hasProgram('chromium'))('pictures', () => {
  const its = gatewayAndBrowser()

  test('of the explorer, and of GraphiQL', async () => {
    const { page } = await visit(its.browser, its.gateway.url, query)
    await page.setViewportSize({ width: 1280, height: 1080 })
    // Ports differ from one time to the next.
    await page.locator('#curl').evaluate((curl, url) => {
      curl.textContent = curl.textContent.replace(url, 'http://localhost:4000')
    }, its.gateway.url)
    await page.screenshot({ path: `${root}docs/explorer.png` })
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click()
    await page.setViewportSize({ width: 1280, height: 760 })
    await page.getByRole('button', { name: /execute/i }).click()
    await page.locator('.result-window').getByText('"søren"').waitFor()
    await page.screenshot({ path: `${root}docs/graphiql.png` })
    await page.context().close()
  })

  test.skipIf(!hasProgram('php'))('of reports', async () => {
    const reports = await makeReports()
    onTestFinished(reports.remove)
    for (const [name, height] of [
      ['replay', 760],
      ['probe', 720],
      ['census', 760],
    ] as const) {
      const page = await its.browser.newPage({ viewport: { width: 1000, height } })
      await page.goto(reports.fileOf(name))
      // Ports differ from one time to the next.
      await page.evaluate(() => {
        const facts = document.querySelector('.facts')
        const hosts = ['https://old.example/', 'https://new.example/'].values()
        if (facts !== null)
          facts.innerHTML = facts.innerHTML.replaceAll(/http:[/.\d]+:\d+\//g, () => hosts.next().value ?? '')
      })
      await page.screenshot({ path: `${root}docs/${name}.png` })
      await page.close()
    }
  })

  test.skipIf(!hasProgram('php'))('of the page for operators', { timeout: 420_000 }, async () => {
    const old = await startOldService({ unknown: 'null', serviceName: 'Acme' })
    onTestFinished(old.close)
    const serving = await startDemonstration(old.url)
    const end = Date.now() + 240_000
    for (let turn = 0; Date.now() < end; turn++) {
      await askAll(serving)
      await pause(250 + 200 * Math.sin(turn / 30))
    }
    const page = await its.browser.newPage({ viewport: { width: 1280, height: 1000 } })
    await page.goto(originOf(serving.shown.Operations))
    await page.screenshot({ path: `${root}docs/operations.png` })
    await page.close()
  })
})

// pngquant, which makes them small, comes after they are taken.
test.skipIf(process.env.SCREENSHOTS)('all are shown on some page, small, and described', () => {
  const shown = pages.flatMap((page) =>
    [...readPage(page).matchAll(/!\[([^\]]{20,})\]\((?:docs\/)?([^)]+\.png)\)/g)].map(([, , file]) => file),
  )
  const files = readdirSync(`${root}docs`).filter((file) => file.endsWith('.png'))
  expect([...new Set(shown)].toSorted()).toEqual(files.toSorted())
  for (const file of files) expect(statSync(`${root}docs/${file}`).size).toBeLessThan(80 * 1024)
})
