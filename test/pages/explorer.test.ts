// The explorer in a real browser: a person tries the legacy interface.

import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { hasProgram } from '../support/programs.ts'
import { openBrowser, type Watch, watchedPage } from './browser.ts'

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  let gateway: Gateway
  let browser: Browser
  let watch: Watch
  beforeAll(async () => {
    gateway = await startGateway()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.close()
  })
  beforeEach(async () => {
    watch = await watchedPage(browser)
    await watch.page.goto(`${gateway.url}/`)
    return () => watch.page.context().close()
  })

  const control = (name: string) => watch.page.getByLabel(new RegExp(`^${name}`)).first()
  const textOf = async (locator: Locator) => (await locator.textContent()) ?? ''

  /** Presses the button. @returns what the page shows as the answer to exactly this request */
  async function lookUp(): Promise<string> {
    const target = await textOf(watch.page.getByRole('link', { name: '/?Event=' }))
    const answered = watch.page.waitForResponse((response) => response.url().startsWith(`${gateway.url}/?`))
    await watch.page.getByRole('button', { name: 'Look up' }).click()
    const response = await answered
    expect(response.url()).toBe(new URL(target, gateway.url).href)
    const body = await response.text()
    await watch.page.locator('pre', { hasText: `HTTP ${response.status()}` }).waitFor()
    const shown = await textOf(watch.page.locator('pre'))
    expect(shown.trim()).toBe(`HTTP ${response.status()}\n\n${body}`.trim())
    return shown
  }

  function expectNothingElse() {
    expect([...watch.hosts]).toEqual([new URL(gateway.url).host])
    expect(watch.complaints).toEqual([])
  }

  test('offers both events, with what they are', async () => {
    expect(await control('Event').locator('option').allInnerTexts()).toEqual(['ProfileLookup', 'AppLookup'])
    await watch.page.getByText('Basic public information about one or more users').waitFor()
    await watch.page.getByRole('cell', { name: 'JoinDate' }).waitFor()
    await control('Event').selectOption('AppLookup')
    await watch.page.getByText('Basic information about one or more published applications').waitFor()
    await watch.page.getByRole('cell', { name: 'ServiceDownloadLink' }).waitFor()
    expect(await watch.page.getByRole('cell', { name: 'JoinDate' }).count()).toBe(0)
    expectNothingElse()
  })

  test('looks users up, as it stands', async () => {
    const shown = await lookUp()
    expect(shown).toContain('HTTP 200')
    expect(shown).toContain('{"1":{"Id":1,"Username":"Ada"')
    expectNothingElse()
  })

  test('looks apps up, in XML', async () => {
    await control('Event').selectOption('AppLookup')
    await control('Format').selectOption('XML')
    const shown = await lookUp()
    expect(shown).toContain('HTTP 200')
    expect(shown).toContain('<ServiceAPI><Data Value="1"><Title>Pocket Almanac</Title>')
    expect(shown).toContain('Paint &amp; Paper')
    expectNothingElse()
  })

  test('looks users up by any name', async () => {
    await control('MethodOfAccessingUserInformation').selectOption('username')
    for (const [name, id] of [
      ['花子', 9],
      ['salt&pepper', 5],
      ['two words', 12],
      ['slash/back\\slash', 10],
    ] as const) {
      await control('Users').fill(name)
      expect(await lookUp()).toContain(`"Id":${id},`)
    }
    await control('Users').fill('100% <b>#+?</b>')
    expect(await lookUp()).toContain('{}')
    expectNothingElse()
  })

  test('looks up on Enter', async () => {
    await control('Users').fill('3')
    await control('Users').press('Enter')
    await watch.page.locator('pre', { hasText: 'mallory' }).waitFor()
    expectNothingElse()
  })

  test('shows an error with its body', async () => {
    await control('Users').fill('ada')
    const shown = await lookUp()
    expect(shown).toContain('HTTP 400')
    expect(shown).toContain('MalformedIdentifier')
    // The browser itself notes the status; nothing else may be noted.
    expect(watch.complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([])
  })

  test('shows values as text, never as markup', async () => {
    await control('MethodOfAccessingUserInformation').selectOption('username')
    await control('Users').fill('salt&pepper')
    await control('Format').selectOption('XML')
    await lookUp()
    expect(await watch.page.locator('pre *').count()).toBe(0)
  })

  test('says so when the gateway is gone', async () => {
    await watch.page.context().setOffline(true)
    await watch.page.getByRole('button', { name: 'Look up' }).click()
    await watch.page.getByText('The gateway does not answer.').waitFor()
  })

  test('links to GraphiQL', async () => {
    await watch.page.getByRole('link', { name: 'GraphiQL' }).click()
    await watch.page.getByRole('button', { name: /execute/i }).waitFor()
  })

  test('is under a policy that lets it talk to its own gateway only', async () => {
    // Without the policy this one would answer it: look-ups are open to every origin.
    const other = await startGateway()
    const outcome = await watch.page.evaluate(async (url) => {
      const fetched = fetch(`${url}/?Event=ProfileLookup&Users=1`)
      return fetched.then(
        () => 'answered',
        () => 'refused',
      )
    }, other.url)
    expect(outcome).toBe('refused')
    expect(watch.complaints.join('\n')).toContain("connect-src 'self'")
    expect(other.observations).toEqual([])
    await other.close()
  })

  test('fits the width of a phone', async () => {
    const phone = await watchedPage(browser, 375)
    await phone.page.goto(`${gateway.url}/`)
    const width = await phone.page.evaluate(() => document.documentElement.scrollWidth)
    await phone.page.context().close()
    expect(width).toBeLessThanOrEqual(375)
  })
})

describe.skipIf(!hasProgram('chromium'))('the explorer of another dialect', () => {
  test('shows the names of that dialect', async () => {
    const settings = { LEGACY_SERVICE_NAME: 'Acme', LEGACY_CHAT_METHOD: 'messenger' }
    const gateway = await startGateway(settings)
    const browser = await openBrowser()
    const { page } = await watchedPage(browser)
    await page.goto(`${gateway.url}/`)
    await page.getByRole('option', { name: 'messenger' }).waitFor({ state: 'attached' })
    await page.getByLabel(/^Event/).selectOption('AppLookup')
    await page.getByRole('cell', { name: 'AcmeDownloadLink' }).waitFor()
    await browser.close()
    await gateway.close()
  })
})
