// The pictures of the README: `npm run screenshots` takes them anew.

import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../../support/programs.ts'
import { gatewayAndBrowser, visit } from './visit.ts'

const root = new URL('../../../', import.meta.url).pathname
const query =
  'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=s%C3%B8ren:mallory:nobody&Format=XML'

describe.skipIf(!process.env.SCREENSHOTS || !hasProgram('chromium'))('pictures', () => {
  const its = gatewayAndBrowser()

  test('of the explorer, and of GraphiQL', async () => {
    // The second visit, so that the times shown are not those of a start.
    await (await visit(its.browser, its.gateway, query)).leave()
    const at = await visit(its.browser, its.gateway, query)
    await at.page.setViewportSize({ width: 1280, height: 1080 })
    await at.page.screenshot({ path: `${root}docs/explorer.png` })
    await at.page.getByRole('link', { name: 'Open in GraphiQL' }).click()
    await at.page.setViewportSize({ width: 1280, height: 760 })
    await at.page.getByRole('button', { name: /execute/i }).click()
    await at.page.locator('.result-window').getByText('"søren"').waitFor()
    await at.page.screenshot({ path: `${root}docs/graphiql.png` })
    await at.leave()
  })
})

test('those that the README shows are there, and small', () => {
  const shown = [...readFileSync(`${root}README.md`, 'utf8').matchAll(/!\[[^\]]+\]\((docs\/[^)]+\.png)\)/g)]
  expect(shown.map(([, file]) => file)).toEqual(['docs/explorer.png', 'docs/graphiql.png'])
  for (const [, file] of shown) expect(statSync(`${root}${file}`).size).toBeLessThan(200 * 1024)
})
