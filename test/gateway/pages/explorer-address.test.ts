// The address of the explorer holds its request, so that it can be shared; whatever is in it is only ever
// shown.

import { describe, expect, test } from 'vitest'
import { hasProgram } from '../../support/programs.ts'
import { gatewayAndBrowser, settled, visit } from './visit.ts'

describe.skipIf(!hasProgram('chromium'))('the address of the explorer', () => {
  const its = gatewayAndBrowser()

  test('shows the same in every browser that opens it', async () => {
    const one = await visit(its.browser, its.gateway)
    await one.control('MethodOfAccessingUserInformation').selectOption('username')
    await one.control('Users').fill('søren:nobody')
    await one.control('Format').selectOption('XML')
    await one.lookUp()
    const [, query = ''] = one.page.url().split('#')
    const other = await visit(its.browser, its.gateway, query)
    expect(await other.request.inputValue()).toBe(await one.request.inputValue())
    expect(await other.control('Users').inputValue()).toBe('søren:nobody')
    expect(await other.control('Format').inputValue()).toBe('XML')
    const shown = (at: typeof one) => at.answer.getByLabel('XML response', { exact: true }).textContent()
    expect(await shown(other)).toBe(await shown(one))
    expect(await shown(other)).toContain('Søren')
    await Promise.all([one.leave(), other.leave()])
  })

  test('keeps no user from going back to the page before', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.page.goto(`${its.gateway.url}/live`)
    await at.page.goto(`${its.gateway.url}/`)
    await settled(at.page)
    await at.page.goBack()
    expect(new URL(at.page.url()).pathname).toBe('/live')
    await at.leave()
  })

  test.each([
    ['#', '/?Event=ProfileLookup&Users=1:2'],
    ['#?', '/?'],
    ['#/?Event=AppLookup&Apps=1', '/?Event=AppLookup&Apps=1'],
    ['#http://old.example/?Event=AppLookup&Apps=1', '/?Event=AppLookup&Apps=1'],
    ["#Event=AppLookup&Apps=1'", '/?Event=AppLookup&Apps=1%27'],
  ])('%s is read, and left by one step back', async (hash, request) => {
    const at = await visit(its.browser, its.gateway)
    await at.page.goto(`${its.gateway.url}/live`)
    await at.page.goto(`${its.gateway.url}/${hash}`)
    await settled(at.page)
    expect(await at.request.inputValue()).toBe(request)
    await at.page.goBack()
    expect(new URL(at.page.url()).pathname).toBe('/live')
    await at.leave()
  })

  test('of an empty request is one that can be shared', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.request.fill('')
    await at.lookUp()
    expect(await at.status.textContent()).toMatch(/^MissingParameter/)
    expect(at.page.url()).toBe(`${its.gateway.url}/#?`)
    await at.page.reload()
    await settled(at.page)
    expect(await at.request.inputValue()).toBe('/?')
    await at.leave()
  })

  test('goes back and forth with the browser', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.control('Users').fill('3')
    await at.lookUp()
    await at.answer.getByText('mallory').first().waitFor()
    await at.page.goBack()
    await at.answer.getByText('"Ada"').first().waitFor()
    expect(await at.control('Users').inputValue()).toBe('1:2')
    await at.page.goForward()
    await at.answer.getByText('mallory').first().waitFor()
    at.expectNothingElse()
    await at.leave()
  })

  const hostile = '<img src=x onerror="ran=1"><script>ran=1</script>'
  test.each([
    ['an unknown event', `Event=${hostile}`, 400, /UnknownEvent: There is no Event "<img src=x/],
    ['no event', 'Users=1', 400, /MissingParameter: The parameter Event is missing or empty/],
    ['an address of another service', 'https://other.example/page', 400, /MissingParameter/],
    ['another format', `Event=AppLookup&Apps=1&Format=${hostile}`, 400, /UnknownFormat/],
    [
      'a name that is no number',
      'Event=ProfileLookup&Users=ada',
      400,
      /MalformedIdentifier: "ada" is not a numeric/,
    ],
    ['the same twice', 'Event=AppLookup&Apps=1&Apps=2', 400, /RepeatedParameter: The parameter Apps/],
    ['broken encoding', 'Event=AppLookup&Apps=%FF', 400, /MalformedQuery/],
    ['a broken percent sign', 'Event=AppLookup&Apps=%', 400, /MalformedQuery/],
    ['half a character', 'Event=AppLookup&Apps=\ud800', 400, /MalformedIdentifier/],
    [
      'too many values',
      `Event=AppLookup&Apps=${Array.from({ length: 1001 }, (_, id) => id + 1).join(':')}`,
      400,
      /TooManyValues/,
    ],
  ])(
    'with %s: the service says what is wrong, and nothing of it runs',
    async (_, pasted, status, message) => {
      const at = await visit(its.browser, its.gateway)
      await at.request.fill(pasted)
      await at.lookUp()
      expect(await at.status.textContent()).toMatch(message)
      await at.answer.getByText(`HTTP ${status} error`).waitFor()
      expect(await at.page.locator('img, main script').count()).toBe(0)
      expect(await at.page.evaluate('globalThis.ran')).toBeUndefined()
      at.expectNothingElse()
      await at.leave()
    },
  )

  test('that is too long: the service says so', async () => {
    const at = await visit(its.browser, its.gateway)
    await at.request.fill(`Event=AppLookup&Apps=1&x=${'x'.repeat(70_000)}`)
    await at.lookUp()
    expect(await at.status.textContent()).toMatch(/longer than 65536/)
    await at.leave()
  })

  test('with values that are markup, or hidden: they are shown as text', async () => {
    const hidden = '\u202eevil\u0000'
    const at = await visit(its.browser, its.gateway)
    await at.control('MethodOfAccessingUserInformation').selectOption('username')
    await at.control('Users').fill(`salt&pepper:${hostile}:${hidden.slice(0, -1)}`)
    await at.lookUp()
    await at.page.getByRole('tab', { name: 'XML' }).click()
    await settled(at.page)
    expect(await at.page.locator('img, main script').count()).toBe(0)
    expect(await at.page.evaluate('globalThis.ran')).toBeUndefined()
    const values = await at.page
      .locator('#became')
      .getByRole('row', { name: /^Values/ })
      .textContent()
    expect(values).toContain(hostile)
    expect(values).toContain('\\u202eevil')
    at.expectNothingElse()
    await at.leave()
  })
})
