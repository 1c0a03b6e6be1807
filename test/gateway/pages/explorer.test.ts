// The explorer in a real browser: a person tries the legacy interface, and sees what each request becomes.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import about from '../../../package.json' with { type: 'json' }
import { startGateway, temporaryFolder } from '../../support/gateway.ts'
import { hasProgram } from '../../support/programs.ts'
import { corrupt } from '../graphql/execution-support.ts'
import { openBrowser } from './browser.ts'
import { gatewayAndBrowser, settled, type Visit, visit } from './visit.ts'

const METHOD = 'MethodOfAccessingUserInformation'

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  const its = gatewayAndBrowser()
  let at: Visit
  beforeEach(async () => {
    at = await visit(its.browser, its.gateway)
  })
  afterEach(() => at.leave())

  const became = () => at.page.locator('#became')
  const rawBytes = async () => {
    await at.answer.getByRole('button', { name: 'Raw bytes', exact: true }).click()
    return at.answer.locator('pre.raw').textContent()
  }

  test('shows an example at once: the response in both formats, and the GraphQL operation', async () => {
    await at.status.getByText('2 of 2 found.').waitFor()
    await became().getByText('query ProfileLookup($by: UserLookupMethod!').waitFor()
    expect(await became().getByLabel('Variables').textContent()).toBe(
      JSON.stringify({ by: 'ID', values: ['1', '2'] }, null, 2),
    )
    expect(await at.answer.getByLabel('JSON response', { exact: true }).textContent()).toContain(
      '{\n  "1": {\n    "Id": 1,\n    "Username": "Ada",',
    )
    await at.page.getByRole('tab', { name: 'XML' }).click()
    expect(await at.answer.getByLabel('XML response', { exact: true }).textContent()).toContain(
      '<ServiceAPI>\n  <Data Value="1">\n    <Id>1</Id>\n',
    )
    at.expectNothingElse()
  })

  test('says what runs here, and how it is', async () => {
    await at.page.getByText(`Version ${about.version} · SQLite ready · 14 users · 7 apps`).waitFor()
    const broken = await startGateway()
    corrupt(broken, 'ALTER TABLE users RENAME TO gone')
    const other = await visit(its.browser, broken)
    expect(await other.status.textContent()).toMatch(/^Unavailable: The database is unavailable/)
    await other.page.getByText(`Version ${about.version} · SQLite does not respond`).waitFor()
    corrupt(broken, 'ALTER TABLE gone RENAME TO users')
    await other.lookUp()
    await other.page.getByText('SQLite ready · 14 users').waitFor()
    await other.leave()
    await broken.close()
  })

  test('says how to fill a database that has no apps', async () => {
    const empty = await startGateway()
    corrupt(empty, 'DELETE FROM apps')
    const other = await visit(its.browser, empty)
    await other.page.getByText('SQLite ready · 14 users · 0 apps').waitFor()
    await other.page.getByText('The database has no apps. Fill it with "lookup import apps FILE".').waitFor()
    await other.leave()
    await empty.close()
  })

  test('has room for an event that is declared tomorrow', async () => {
    const event = {
      name: 'GroupLookup',
      description: 'About groups.',
      parameters: [
        { name: 'By', description: 'How.', allowed: ['id', 'name'], example: 'id' },
        { name: 'Groups', description: 'Which.', example: '7:8' },
      ],
      fields: [{ name: 'Open', type: 'boolean', description: 'Whether it is open.', inXml: 'Yes or no.' }],
    }
    // The declarations are data in the page.
    await at.page.route(`${its.gateway.url}/`, async (route) => {
      const response = await route.fetch()
      const start = '<script type="application/json" id="events">['
      const body = (await response.text()).replace(start, () => `${start}${JSON.stringify(event)},`)
      await route.fulfill({ response, body })
    })
    await at.page.goto('about:blank')
    await at.page.goto(`${its.gateway.url}/`)
    await settled(at.page)
    expect(await at.request.inputValue()).toBe('/?Event=GroupLookup&Groups=7:8')
    await at.control('By').selectOption('name')
    expect(await at.request.inputValue()).toBe('/?Event=GroupLookup&By=name&Groups=7:8')
    await at.page.getByRole('row', { name: 'Open boolean Whether it is open. Yes or no.' }).waitFor()
  })

  test('has the raw bytes, the status, the time and the headers of what really came', async () => {
    for (const format of ['JSON', 'XML']) {
      await at.page.getByRole('tab', { name: format }).click()
      const answered = await fetch(`${its.gateway.url}/?Event=ProfileLookup&Users=1:2&Format=${format}`)
      const body = await answered.text()
      expect(await rawBytes()).toBe(body)
      const status = await at.answer.locator('.status').textContent()
      expect(status).toMatch(new RegExp(`^HTTP 200 · ${body.length} bytes · \\d+\\.\\d ms$`))
      await at.answer.getByText(/^Headers/).click()
      await at.answer
        .getByRole('row', { name: `content-type ${answered.headers.get('content-type')}` })
        .waitFor()
      await at.answer.getByRole('row', { name: `etag ${answered.headers.get('etag')}` }).waitFor()
    }
    at.expectNothingElse()
  })

  test('offers both events, with what they are', async () => {
    expect(await at.control('Event').locator('option').allInnerTexts()).toEqual([
      'ProfileLookup',
      'AppLookup',
    ])
    await at.page.getByText('Basic public information about one or more users').waitFor()
    await at.page.getByRole('rowheader', { name: 'JoinDate' }).waitFor()
    await at.control('Event').selectOption('AppLookup')
    await at.page.getByText('Basic information about one or more published applications').waitFor()
    await at.page.getByRole('rowheader', { name: 'ServiceDownloadLink' }).waitFor()
    expect(await at.page.getByRole('rowheader', { name: 'JoinDate' }).count()).toBe(0)
    expect(await at.request.inputValue()).toBe('/?Event=AppLookup&Apps=1:2')
    at.expectNothingElse()
  })

  test('writes the request of what is picked, and looks it up', async () => {
    await at.control(METHOD).selectOption('username')
    await at.control('Users').fill("søren:100% <b>#+?&'</b>")
    await at.control('Format').selectOption('XML')
    await settled(at.page)
    expect(await at.request.inputValue()).toBe(
      `/?Event=ProfileLookup&${METHOD}=username&Users=s%C3%B8ren:100%25%20%3Cb%3E%23%2B%3F%26%27%3C%2Fb%3E&Format=XML`,
    )
    await at.lookUp()
    await at.status.getByText('1 of 2 found.').waitFor()
    await at.answer.getByText('Søren Ærlig').waitFor()
    await became().getByRole('row', { name: "Not found 100% <b>#+?&'</b>" }).waitFor()
    await became().getByText('LEGACY_UNKNOWN').waitFor()
    await became().getByText('The value that matches nothing is left out.').waitFor()
    at.expectNothingElse()
  })

  test('looks up on Enter', async () => {
    await at.control('Users').fill('3')
    await at.control('Users').press('Enter')
    await at.answer.getByText('mallory').first().waitFor()
    at.expectNothingElse()
  })

  test.each([
    ['a whole old URL', `https://old.example/lookup.php?Event=AppLookup&Apps=2:99#top`],
    ['a target', '/?Event=AppLookup&Apps=2:99'],
    ['a query string', 'Event=AppLookup&Apps=2:99'],
    ['the first line of a request', 'GET /?Event=AppLookup&Apps=2:99 HTTP/1.1'],
    [
      'a line of a log',
      '192.0.2.7 - - [21/Nov/2026:10:00:00 +0000] "GET /?Event=AppLookup&Apps=2:99 HTTP/1.1" 200 99 "-" "old/1"',
    ],
  ])('takes %s', async (_, pasted) => {
    await at.request.fill(pasted)
    expect(await at.control('Event').inputValue()).toBe('AppLookup')
    expect(await at.control('Apps').inputValue()).toBe('2:99')
    await at.lookUp()
    await at.status.getByText('1 of 2 found.').waitFor()
    at.expectNothingElse()
  })

  test('marks and explains what is particular in XML', async () => {
    await at.page.getByRole('tab', { name: 'XML' }).click()
    expect(await at.answer.locator('mark').allTextContents()).toEqual([
      ...['11', '<Banned2', 'søren3', 'Søren Ærlig3', '11', '<Banned2'],
    ])
    expect(await at.answer.locator('.notes li').allTextContents()).toEqual([
      'IsConfirmed: In XML it is 0 or 1.',
      'Banned: In XML it is empty for false, and 1 for true.',
      'Characters beyond ASCII, and some line ends, are sent as numbers. See the raw bytes.',
    ])
  })

  test('opens exactly this operation in GraphiQL, where it runs', async () => {
    await at.control('Users').fill('2:99')
    await at.lookUp()
    await at.page.getByRole('link', { name: 'Open in GraphiQL' }).click()
    await at.page.getByRole('button', { name: /execute/i }).click()
    const result = at.page.locator('.result-window')
    await result.getByText('"Søren Ærlig"').waitFor()
    expect(await result.textContent()).not.toContain('errors')
    at.expectNothingElse()
  })

  test('says so when the gateway is gone', async () => {
    await at.page.context().setOffline(true)
    await at.lookUp()
    await at.status.getByText('The gateway does not respond.').waitFor()
  })

  test.each([
    ['what no parser reads', '}}'],
    ['a page', '<html><p title="a\nb">Bad gateway</html>'],
    ['text', 'Bad "gate\tway"'],
  ])('of a proxy in between that answers %s, it shows that', async (_, body) => {
    await at.page.route(/\/\?Event/, (route) => route.fulfill({ status: 502, body }))
    await at.lookUp()
    await at.answer.getByText('HTTP 502 error').waitFor()
    await at.answer.getByText('Not valid JSON: these are the raw bytes.').waitFor()
    expect(await at.answer.locator('pre.raw').textContent()).toBe(body)
  })

  test('of a proxy in between that answers for everything, it says so', async () => {
    await at.page.route(/\?Event/, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await at.control('Users').fill('7')
    await at.lookUp()
    expect(await at.status.textContent()).toBe('The gateway responded with status 502.')
    // What can be said without an answer is of the new request.
    await at.page.locator('#legacy-snippets').getByText('Users=7').first().waitFor()
  })

  test('calls nothing an error that only looks like one', async () => {
    await at.request.fill(`Event=ProfileLookup&${METHOD}=username&Users=<Error>`)
    await at.lookUp()
    expect(await at.answer.locator('.status').textContent()).toMatch(/^HTTP 200 ·/)
  })

  test('shows no other format where the format is what is wrong', async () => {
    await at.request.fill('Event=ProfileLookup&Users=1&Format=CSV')
    await at.lookUp()
    expect(await at.page.locator('#came').getByRole('tab').allTextContents()).toEqual(['JSON'])
    expect(await at.control('Format').inputValue()).toBe('CSV')
  })

  test('its controls say what the request says, also what is missing or wrong in it', async () => {
    await at.request.fill(`Event=ProfileLookup&${METHOD}=email`)
    expect(await at.control('Users').inputValue()).toBe('')
    expect(await at.control(METHOD).inputValue()).toBe('email')
    await at.request.fill('Event=Nothing')
    expect(await at.control('Event').inputValue()).toBe('Nothing')
    await at.control('Event').selectOption('AppLookup')
    expect(await at.request.inputValue()).toBe('/?Event=AppLookup&Apps=1:2')
  })

  test('stays with the format that is being looked at', async () => {
    await at.page.getByRole('tab', { name: 'XML' }).click()
    await at.control('Users').fill('3')
    await at.lookUp()
    await at.answer.getByText('mallory').first().waitFor()
    await at.answer.getByText('<ServiceAPI').first().waitFor()
  })

  test('links to GraphiQL with a thousand values, or says that they are too many for a link', async () => {
    const values = (length: number) =>
      Array.from({ length: 1000 }, (_, id) => `${'é'.repeat(length)}${id}`).join(':')
    await at.control(METHOD).selectOption('username')
    await at.control('Users').fill(values(3))
    await at.lookUp()
    await at.page.getByRole('link', { name: 'Open in GraphiQL' }).click()
    await at.page.getByRole('button', { name: /execute/i }).waitFor()
    await at.page.goBack()
    await settled(at.page)
    await at.control('Users').fill(values(9))
    await at.lookUp()
    await at.page.getByText('Too long for a link to GraphiQL.').waitFor()
  })

  test('is small', async () => {
    const { gzipSync } = await import('node:zlib')
    const page = await (
      await fetch(`${its.gateway.url}/`, { headers: { accept: 'text/html' } })
    ).arrayBuffer()
    expect(gzipSync(page).length).toBeLessThan(14 * 1024)
  })

  test('is under a policy that lets it talk to its own gateway only', async () => {
    // Without the policy this one would answer it: look-ups are open to every origin.
    const other = await startGateway()
    const outcome = await at.page.evaluate(async (url) => {
      const fetched = fetch(`${url}/?Event=ProfileLookup&Users=1`)
      return fetched.then(
        () => 'answered',
        () => 'refused',
      )
    }, other.url)
    expect(outcome).toBe('refused')
    expect(at.complaints.join('\n')).toContain("connect-src 'self'")
    expect(other.observations).toEqual([])
    await other.close()
  })
})

describe.skipIf(!hasProgram('chromium'))('the explorer of another dialect', () => {
  test('shows the names of that dialect, and links to nothing that is off', async () => {
    const settings = { LEGACY_SERVICE_NAME: 'Acme', LEGACY_CHAT_METHOD: 'messenger', GRAPHIQL: 'off' }
    const gateway = await startGateway({ ...settings, INTROSPECTION: 'off' })
    const browser = await openBrowser()
    const at = await visit(browser, gateway)
    expect(await at.control(METHOD).locator('option').allInnerTexts()).toContain('messenger')
    await at.control('Event').selectOption('AppLookup')
    await at.page.getByRole('rowheader', { name: 'AcmeDownloadLink' }).waitFor()
    await at.page.getByRole('tab', { name: 'XML' }).click()
    await at.answer.getByText('<AcmeAPI').first().waitFor()
    expect(await at.page.getByRole('link').allInnerTexts()).toEqual(['legacy.openapi.json', 'legacy.xsd'])
    at.expectNothingElse()
    await browser.close()
    await gateway.close()
  })
})

test('where only trusted documents run, the explorer says so beside the code for GraphQL', async () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const manifest = join(folder.path, 'documents.json')
  writeFileSync(manifest, '{"trusted": "{ __typename }"}')
  const pageOf = async (settings: Readonly<Record<string, string>>) => {
    const gateway = await startGateway(settings)
    onTestFinished(gateway.close)
    return (await fetch(`${gateway.url}/`, { headers: { accept: 'text/html' } })).text()
  }
  const note = 'runs only the documents of its manifest (GRAPHQL_ONLY_DOCUMENTS)'
  expect(await pageOf({ GRAPHQL_DOCUMENTS: manifest, GRAPHQL_ONLY_DOCUMENTS: 'on' })).toContain(note)
  expect(await pageOf({ GRAPHQL_DOCUMENTS: manifest })).not.toContain(note)
})
