// Pages begin with values that are there.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fill, startGateway, startGatewayOver, temporaryFolder } from '../../support/gateway.ts'
import { hasProgram } from '../../support/programs.ts'
import { openBrowser } from './browser.ts'
import { visit } from './visit.ts'

const folder = temporaryFolder()
afterAll(folder.remove)
const row = { displayName: 'X', rank: 1, joinDate: 1, isConfirmed: true, banned: false, chatId: null }

function usersFile(...users: readonly (readonly [id: number, username: string])[]): string {
  const path = join(folder.path, 'users.jsonl')
  writeFileSync(path, users.map(([id, username]) => `${JSON.stringify({ id, username, ...row })}\n`).join(''))
  return path
}

const examplesAt = async (url: string) => {
  const response = await fetch(`${url}/explain`)
  return (await response.json()).service.examples
}

const graphiqlAt = async (url: string) => {
  const response = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })
  return response.text()
}

test('are the first rows', async () => {
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  const examples = { users: ['1', '2'], usernames: ['Ada', 's\u00f8ren'], apps: ['1', '2'] }
  expect(await examplesAt(gateway.url)).toEqual(examples)
})

test('are those of the data, whatever its ids are; odd usernames are none', async () => {
  const odd = '</script><script>alert(1)</script>'
  const gateway = await startGateway({}, { users: usersFile([7001, odd], [900_000, 'zo\u00eb']) })
  onTestFinished(gateway.close)
  const examples = { users: ['7001', '900000'], usernames: ['zo\u00eb'], apps: [] }
  expect(await examplesAt(gateway.url)).toEqual(examples)
  const page = await graphiqlAt(gateway.url)
  expect(page).toContain('users(values: [\\"7001\\", \\"900000\\"])')
  expect(page).toContain('users(by: USERNAME, values: [\\"zo\u00eb\\"])')
  expect(page).toContain('apps(ids: [\\"1\\", \\"2\\"])')
  expect(page).not.toContain('alert(1)')
})

test('none where an old service is the store: it is asked for nothing but whether it is there', async () => {
  const old = await startGateway()
  onTestFinished(old.close)
  const gateway = await startGatewayOver({ DATABASE_URL: old.url })
  onTestFinished(gateway.close)
  expect(await examplesAt(gateway.url)).toEqual({ users: [], usernames: [], apps: [] })
  expect(await graphiqlAt(gateway.url)).toContain('apps(ids: [\\"1\\", \\"2\\"])')
  const asked = old.observations.filter(({ type }) => type === 'store-query')
  expect(asked).toMatchObject([{ lookup: 'users-by-id', values: 1 }])
})

describe.skipIf(!hasProgram('chromium'))('the explorer', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  test('begins with users that are there, by id or by username', async () => {
    const users = usersFile([7001, 'first'], [900_000, 'second'])
    const gateway = await startGateway({}, { users })
    onTestFinished(gateway.close)
    const at = await visit(browser, gateway)
    onTestFinished(at.leave)
    await at.status.getByText('2 of 2 found.').waitFor()
    expect(await at.request.inputValue()).toBe('/?Event=ProfileLookup&Users=7001:900000')
    const method = at.control('MethodOfAccessingUserInformation')
    await method.selectOption('username')
    expect(await at.control('Users').inputValue()).toBe('first:second')
    await at.answer.getByText('"second"').first().waitFor()
    // What was typed stays.
    await at.control('Users').fill('7001')
    await method.selectOption('id')
    expect(await at.control('Users').inputValue()).toBe('7001')
    // Another event begins with its own; there are no apps.
    await at.control('Event').selectOption('AppLookup')
    expect(await at.control('Apps').inputValue()).toBe('1:2')
    at.expectNothingElse()
  })

  test('says that the database is empty, and what to do', async () => {
    const gateway = await startGateway({}, {})
    onTestFinished(gateway.close)
    const at = await visit(browser, gateway)
    onTestFinished(at.leave)
    const note = at.page.locator('#note')
    expect(await note.textContent()).toBe(
      'The database has no users and no apps. Fill it with "lookup import users FILE" and "lookup import apps FILE".',
    )
    await fill(gateway.database, 'users', usersFile([7001, 'first']))
    await expect
      .poll(
        async () => {
          await at.lookUp()
          return note.textContent()
        },
        { timeout: 15_000 },
      )
      .toBe('The database has no apps. Fill it with "lookup import apps FILE".')
    at.expectNothingElse()
  })

  test('shows the dialect in force', async () => {
    const settings = { LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Service', LEGACY_MAX_AGE: '60' }
    const gateway = await startGateway(settings)
    onTestFinished(gateway.close)
    const at = await visit(browser, gateway)
    onTestFinished(at.leave)
    const dialect = at.page.locator('#dialect')
    await dialect.getByText('Settings that differ from the defaults: 2').waitFor()
    await dialect.getByRole('row', { name: 'LEGACY_UNKNOWN null' }).waitFor()
    await dialect.getByRole('row', { name: 'LEGACY_MAX_AGE 60' }).waitFor()
    expect(await at.page.locator('#note').isVisible()).toBe(false)
    at.expectNothingElse()
  })
})
