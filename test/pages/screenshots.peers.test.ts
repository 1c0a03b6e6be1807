// The pictures of the documentation: `npm run screenshots` takes them anew.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, onTestFinished } from 'vitest'
import { root } from '../kit/documentation.ts'
import { startOldService } from '../kit/old-service.ts'
import { originOf } from '../kit/serving.ts'
import { askAll, startDemonstration } from '../operations/demonstration.ts'
import { makeReports } from './reports.ts'
import { test } from './visit.ts'

const query =
  'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=s%C3%B8ren:mallory:nobody&Format=XML'

describe.skipIf(!process.env.SCREENSHOTS)('pictures', () => {
  test('of the explorer, and of GraphiQL', async ({ gateway, visit }) => {
    const { page } = await visit({ query })
    await page.setViewportSize({ width: 1280, height: 1080 })
    // Ports differ from one time to the next.
    await page.locator('#curl').evaluate((curl, url) => {
      curl.textContent = curl.textContent.replace(url, 'http://localhost:4000')
    }, gateway.url)
    await page.screenshot({ path: `${root}docs/explorer.png` })
    await page.getByRole('link', { name: 'Open in GraphiQL' }).click()
    await page.setViewportSize({ width: 1280, height: 760 })
    await page.getByRole('button', { name: /execute/i }).click()
    await page.locator('.result-window').getByText('"søren"').waitFor()
    await page.screenshot({ path: `${root}docs/graphiql.png` })
  })

  test('of reports', async ({ openPage }) => {
    const reports = await makeReports()
    onTestFinished(reports.remove)
    const { page } = await openPage()
    for (const [name, height] of [
      ['replay', 1150],
      ['probe', 720],
      ['census', 760],
    ] as const) {
      await page.setViewportSize({ width: 1000, height })
      await page.goto(reports.fileOf(name))
      await page.evaluate(() => {
        const hosts = ['https://old.example/', 'https://new.example/'].values()
        const names = new Map<string, string>()
        document.body.innerHTML = document.body.innerHTML.replaceAll(/http:[/.\d]+:\d+\//g, (address) => {
          const name = names.get(address) ?? hosts.next().value ?? ''
          names.set(address, name)
          return name
        })
      })
      await page.screenshot({ path: `${root}docs/${name}.png` })
    }
  })

  test('of the page for operators', { timeout: 420_000 }, async ({ openPage }) => {
    const old = await startOldService({ unknown: 'null', serviceName: 'Acme' })
    onTestFinished(old.close)
    const serving = await startDemonstration(old.url)
    const end = Date.now() + 240_000
    for (let turn = 0; Date.now() < end; turn++) {
      await askAll(serving)
      await pause(250 + 200 * Math.sin(turn / 30))
    }
    const { page } = await openPage()
    await page.setViewportSize({ width: 1280, height: 1000 })
    await page.goto(originOf(serving.shown.Operations))
    await page.screenshot({ path: `${root}docs/operations.png` })
  })
})
