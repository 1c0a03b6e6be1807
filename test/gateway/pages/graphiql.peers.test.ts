// GraphiQL in a real browser: served whole by the gateway, ready to be tried.

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { openBrowser, type Watch, watchedPage } from './browser.ts'

describe.skipIf(!hasProgram('chromium'))('GraphiQL', () => {
  let gateway: Gateway
  let browser: Browser
  let watch: Watch
  beforeAll(async () => {
    gateway = await startGateway()
    browser = await openBrowser()
    watch = await watchedPage(browser)
    await watch.page.goto(`${gateway.url}/graphql`)
  })
  afterAll(async () => {
    await browser.close()
    await gateway.close()
  })

  /** Presses the button and chooses an operation. */
  async function execute(operation: string): Promise<void> {
    await watch.page.getByRole('button', { name: /execute/i }).click()
    await watch.page.getByRole('menuitem', { name: operation, exact: true }).click()
  }

  const result = () => watch.page.locator('.result-window')

  test('has a title', async () => {
    expect(await watch.page.title()).toContain('GraphiQL')
  })

  test.each([
    ['Users', ['"Ada of the Hill"', '"Søren Ærlig"', 'null']],
    ['UsersByName', ['"søren"']],
    ['Apps', ['"Pocket Almanac"', '"https://apps.example/download/2/"']],
  ])('runs %s of its first tab', async (operation, expected) => {
    await execute(operation)
    for (const text of expected) await result().getByText(text).first().waitFor()
    expect(await result().textContent()).not.toContain('errors')
  })

  test('on a phone, the response stands below the editor, and both are as wide as the page', async () => {
    const { page } = await watchedPage(browser, 390)
    onTestFinished(() => page.close())
    await page.goto(`${gateway.url}/graphql`)
    expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain('device-width')
    const [editor, response] = [page.locator('.graphiql-editors'), page.locator('.graphiql-response')]
    await editor.waitFor()
    const above = await editor.boundingBox()
    const below = await response.boundingBox()
    expect(above?.width).toBeGreaterThan(250)
    expect(below?.width).toBeGreaterThan(250)
    expect(below?.height).toBeGreaterThan(250)
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
  })

  test('shows the descriptions of the schema', async () => {
    await watch.page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const docs = watch.page.locator('.graphiql-plugin')
    await docs.getByRole('link', { name: 'Query', exact: true }).click()
    await docs.getByText('There is nothing to write').waitFor()
    await docs.getByText('one item per value, in order; null where nothing matches').waitFor()
  })

  test('completes what is typed, from the schema', async () => {
    const editor = watch.page.locator('.graphiql-editor').first()
    await editor.click()
    await watch.page.keyboard.press('Control+A')
    await watch.page.keyboard.type('{ users(by: ')
    await watch.page.keyboard.press('Control+Space')
    await watch.page.locator('.suggest-widget').getByText('USERNAME').first().waitFor()
  })

  test('marks what is wrong in a query, and in variables', async () => {
    const { page } = watch
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('{ nothing }')
    await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor()
    await page.getByRole('button', { name: 'Variables', exact: true }).click()
    await page.locator('.graphiql-editor-tool .graphiql-editor').first().click()
    await page.keyboard.type('{"a" 1')
    await page.locator('.graphiql-editor-tool .squiggly-error').first().waitFor()
  })

  test('shows the query and the variables of an address that was shared, runs them, and keeps both in it', async () => {
    const query = 'query Shared($values: [String!]!) { users(values: $values) { username } }'
    const address = new URLSearchParams({ query, variables: '{ "values": ["2"] }' })
    const { page, hosts, complaints } = await watchedPage(browser)
    await page.goto(`${gateway.url}/graphql?${address}`)
    await page.getByRole('button', { name: /execute/i }).click()
    await page.locator('.result-window').getByText('"søren"').waitFor()
    await page.locator('.graphiql-editor-tool .graphiql-editor').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('{ "values": ["1"]')
    const kept = () => new URL(page.url()).searchParams
    await expect.poll(() => kept().get('variables'), { timeout: 5000 }).toContain('"1"')
    expect(kept().get('query')).toBe(query)
    await page.getByRole('button', { name: /execute/i }).click()
    await page.locator('.result-window').getByText('"Ada"').waitFor()
    expect([...hosts]).toEqual([new URL(gateway.url).host])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('asks no other host for anything', async () => {
    await watch.page.waitForLoadState('networkidle')
    expect([...watch.hosts]).toEqual([new URL(gateway.url).host])
  })

  test('complains of nothing', () => {
    expect(watch.complaints).toEqual([])
  })
})
