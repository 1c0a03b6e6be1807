// GraphiQL in a real browser: the gateway serves all of it, and the schema is in it.

import { describe, expect } from 'vitest'
import { test as base } from './browser.ts'

const test = base.extend('graphiql', ({ gateway, openPage }) => async (search = '', width?: number) => {
  const watch = await openPage(width)
  await watch.page.goto(`${gateway.url}/graphql${search}`)
  return {
    ...watch,
    result: watch.page.locator('.result-window'),
    execute: () => watch.page.getByRole('button', { name: /execute/i }).click(),
    expectNothingElse: () => {
      expect([...watch.hosts]).toEqual([new URL(gateway.url).host])
      expect(watch.complaints).toEqual([])
    },
  }
})

describe('GraphiQL', () => {
  test('runs each operation of its first tab', async ({ graphiql }) => {
    const { page, result, execute, expectNothingElse } = await graphiql()
    expect(await page.title()).toContain('GraphiQL')
    for (const [operation, texts] of [
      ['Users', ['"Ada of the Hill"', '"Søren Ærlig"', 'null']],
      ['UsersByName', ['"søren"']],
      ['Apps', ['"Pocket Almanac"', '"https://apps.example/download/2/"']],
    ] as const) {
      await execute()
      await page.getByRole('menuitem', { name: operation, exact: true }).click()
      for (const text of texts) await result.getByText(text).first().waitFor()
      expect(await result.textContent()).not.toContain('errors')
    }
    await page.waitForLoadState('networkidle')
    expectNothingElse()
  })

  test('describes the schema, completes names from it, and marks mistakes', async ({ graphiql }) => {
    const { page } = await graphiql()
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const docs = page.locator('.graphiql-plugin')
    await docs.getByRole('link', { name: 'Query', exact: true }).click()
    await docs.getByText('There is nothing to write').waitFor()
    await docs.getByText('one item per value, in order; null if nothing matches').waitFor()

    const write = async (text: string) => {
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    }
    await page.locator('.graphiql-editor').first().click()
    await write('{ users(by: ')
    await page.keyboard.press('Control+Space')
    await page.locator('.suggest-widget').getByText('USERNAME').first().waitFor()
    await page.keyboard.press('Escape')
    await write('{ nothing }')
    await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor()
  })

  test('on a phone, has the response below the editor, both as wide as the page', async ({ graphiql }) => {
    const { page } = await graphiql('', 390)
    expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain('device-width')
    await page.locator('.graphiql-editors').waitFor()
    const above = await page.locator('.graphiql-editors').boundingBox()
    const below = await page.locator('.graphiql-response').boundingBox()
    for (const size of [above?.width, below?.width, below?.height]) expect(size).toBeGreaterThan(250)
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0))
  })

  test('runs the query of a shared address, and keeps changes in the address', async ({ graphiql }) => {
    const query = 'query Shared($values: [ID!]!) { users(values: $values) { username } }'
    const address = new URLSearchParams({ query, variables: '{ "values": ["2"] }' })
    const { page, result, execute, expectNothingElse } = await graphiql(`?${address}`)
    await execute()
    await result.getByText('"søren"').waitFor()
    await page.locator('.graphiql-editor-tool .graphiql-editor').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('{ "values": ["1"]')
    const kept = () => new URL(page.url()).searchParams
    await expect.poll(() => kept().get('variables')).toContain('"1"')
    expect(kept().get('query')).toBe(query)
    await execute()
    await result.getByText('"Ada"').waitFor()
    expectNothingElse()
  })

  test('says that only trusted documents run', async ({ place, openPage, withSettings }) => {
    place.write('documents.json', '{"trusted": "{ __typename }"}')
    const settings = { GRAPHQL_DOCUMENTS: `${place.path}/documents.json`, GRAPHQL_ONLY_DOCUMENTS: 'on' }
    const { page } = await openPage()
    await page.goto(`${(await withSettings(settings)).url}/graphql`)
    await page.getByText('Only trusted documents run').waitFor()
  })
})
