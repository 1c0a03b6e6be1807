// The explorer in a real browser: a person tries the legacy interface, and sees what a request becomes.

import { describe, expect, onTestFinished } from 'vitest'
import about from '../../package.json' with { type: 'json' }
import { corrupt } from '../graphql/execution-support.ts'
import { startGateway } from '../kit/gateway.ts'
import { settled, test } from './visit.ts'

const METHOD = 'MethodOfAccessingUserInformation'

describe('the explorer', () => {
  test('shows an example at once, with curl, GraphQL and the state of the gateway', async ({
    at,
    gateway,
  }) => {
    expect(await at.status.textContent()).toBe('2 of 2 found.')
    expect(await at.request.inputValue()).toBe('/?Event=ProfileLookup&Users=1:2')
    expect(await at.textOf('curl')).toBe(`curl '${gateway.url}/?Event=ProfileLookup&Users=1:2'`)
    expect(await at.textOf('GraphQL query')).toContain('query ProfileLookup($by: UserLookupMethod!')
    expect(JSON.parse((await at.textOf('Variables')) ?? '')).toEqual({ by: 'ID', values: ['1', '2'] })
    await at.page.getByText(`Version ${about.version} · sqlite store: ready · 14 users · 7 apps`).waitFor()
    at.expectNothingElse()
  })

  test('shows the response as every client gets it, also when another event is chosen', async ({
    at,
    gateway,
  }) => {
    await at.control('Format').selectOption('XML')
    await at.control('Event').selectOption('AppLookup')
    await settled(at.page)
    expect(await at.request.inputValue()).toBe('/?Event=AppLookup&Apps=1:2&Format=XML')
    const response = await fetch(`${gateway.url}/?Event=AppLookup&Apps=1:2&Format=XML`)
    const body = await response.text()
    expect(await at.body.textContent()).toBe(body)
    expect(await at.page.locator('#outcome').textContent()).toBe(
      `HTTP 200 · ${response.headers.get('content-type')} · ${body.length} bytes`,
    )
    at.expectNothingElse()
  })

  test('writes the request of its controls, looks it up, and explains it', async ({ at }) => {
    await at.control(METHOD).selectOption('username')
    await at.control('Users').fill("søren:100% <b>#+?&'</b>")
    await at.control('Users').press('Enter')
    await settled(at.page)
    expect(await at.request.inputValue()).toBe(
      `/?Event=ProfileLookup&${METHOD}=username&Users=s%C3%B8ren:100%25+%3Cb%3E%23%2B%3F%26%27%3C%2Fb%3E`,
    )
    expect(await at.status.textContent()).toBe('1 of 2 found.')
    expect(await at.row('Parameters').textContent()).toContain(`Users = søren:100% <b>#+?&'</b>`)
    expect(await at.row('Not found').textContent()).toContain(`100% <b>#+?&'</b>`)
    at.expectNothingElse()
  })

  test('shows a pasted line of a log in its controls, with what is missing or wrong', async ({ at }) => {
    await at.request.fill(`192.0.2.7 "GET /old.php?Event=AppLookup&Apps=2:99&Format=CSV HTTP/1.1" 200`)
    expect(await at.control('Event').inputValue()).toBe('AppLookup')
    expect(await at.control('Apps').inputValue()).toBe('2:99')
    expect(await at.control('Format').inputValue()).toBe('CSV')
    await at.control('Format').selectOption('JSON')
    await settled(at.page)
    expect(await at.status.textContent()).toBe('1 of 2 found.')
    await at.request.fill(`Event=ProfileLookup&${METHOD}=email`)
    expect(await at.control('Users').inputValue()).toBe('')
    expect(await at.control(METHOD).inputValue()).toBe('email')
  })

  test('opens the operation in GraphiQL, where it runs', async ({ at }) => {
    await at.control('Users').fill('2:99')
    await at.lookUp()
    await at.page.getByRole('link', { name: 'Open in GraphiQL' }).click()
    await at.page.getByRole('button', { name: /execute/i }).click()
    const result = at.page.locator('.result-window')
    await result.getByText('"Søren Ærlig"').waitFor()
    expect(await result.textContent()).not.toContain('errors')
    at.expectNothingElse()
  })

  test('has an address that shows the same to everybody, and goes back and forth', async ({ at, visit }) => {
    await at.control(METHOD).selectOption('username')
    await at.control('Users').fill("søren:o'nobody")
    await at.lookUp()
    const [, query = ''] = at.page.url().split('#')
    const other = await visit({ query })
    expect(await other.request.inputValue()).toBe(await at.request.inputValue())
    expect(await other.control('Users').inputValue()).toBe("søren:o'nobody")
    expect(await other.body.textContent()).toBe(await at.body.textContent())
    await at.page.goBack()
    await at.page.goBack()
    await at.body.getByText('"Ada"').waitFor()
    expect(await at.control('Users').inputValue()).toBe('1:2')
    await at.page.goForward()
    await at.page.goForward()
    await at.body.getByText('s\\u00f8ren').waitFor()
    at.expectNothingElse()
  })

  test('reads an address of an old service, which one step back leaves', async ({ at, gateway }) => {
    await at.page.goto(`${gateway.url}/live`)
    await at.page.goto(`${gateway.url}/#http://old.example/?Event=AppLookup&Apps=1`)
    await settled(at.page)
    expect(await at.request.inputValue()).toBe('/?Event=AppLookup&Apps=1')
    await at.page.goBack()
    expect(new URL(at.page.url()).pathname).toBe('/live')
  })

  const hostile = '<img src=x onerror="ran=1"><script>ran=1</script>\u202eevil'
  test.for([
    [`Event=${hostile}`, /^UnknownEvent: There is no Event "<img src=x.*\\u\{202e\}evil/],
    ['Users=1', /^MissingParameter: The parameter Event is missing or empty/],
    ['Event=AppLookup&Apps=%FF', /^MalformedQuery/],
    [`Event=AppLookup&Apps=1&x=${'x'.repeat(70_000)}`, /status 414/],
  ] as const)(
    'with %s, it shows the error, and runs nothing of the request',
    async ([text, message], { at }) => {
      await at.request.fill(text)
      await at.lookUp()
      expect(await at.status.textContent()).toMatch(message)
      expect(await at.body.textContent()).toMatch(/^\{"Error":\{"Code":"/)
      await at.page.getByText('None: the request was rejected').waitFor()
      expect(await at.page.locator('img, main script').count()).toBe(0)
      expect(await at.page.evaluate('globalThis.ran')).toBeUndefined()
      at.expectNothingElse()
    },
  )

  test('says that the gateway does not respond, or that a proxy responds in its place', async ({ at }) => {
    const body = '<html><p title="a\nb">Bad gateway</html>'
    await at.page.route(/\?Event/, (route) => route.fulfill({ status: 502, contentType: 'text/html', body }))
    await at.lookUp()
    expect(await at.status.textContent()).toBe('The gateway does not explain this request: status 502.')
    expect(await at.page.locator('#outcome').textContent()).toMatch(/^HTTP 502 · text\/html/)
    expect(await at.body.textContent()).toBe(body)
    await at.page.context().setOffline(true)
    await at.page.unrouteAll()
    await at.lookUp()
    expect(await at.status.textContent()).toBe('The gateway does not respond.')
    expect(await at.body.textContent()).toBe('')
  })

  test('copies its texts', async ({ at }) => {
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await at.page.getByRole('button', { name: 'Copy curl' }).click()
    expect(await at.page.evaluate(() => navigator.clipboard.readText())).toBe(await at.textOf('curl'))
    await at.page.getByRole('button', { name: 'Copy query' }).click()
    expect(await at.page.evaluate(() => navigator.clipboard.readText())).toBe(
      await at.textOf('GraphQL query'),
    )
  })

  test('says that the store does not respond, and that it does again', async ({ visit }) => {
    const gateway = await startGateway()
    onTestFinished(gateway.close)
    const at = await visit({ url: gateway.url })
    corrupt(gateway, 'ALTER TABLE users RENAME TO gone')
    await at.control('Users').fill('3')
    await at.lookUp()
    expect(await at.status.textContent()).toMatch(/^Unavailable: The database is unavailable/)
    await at.page.getByText('sqlite store: does not respond').waitFor()
    corrupt(gateway, 'ALTER TABLE gone RENAME TO users')
    await at.lookUp()
    await at.page.getByText('sqlite store: ready · 14 users').waitFor()
  })
})
