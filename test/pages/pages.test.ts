// The pages for browsers: the explorer and GraphiQL, their headers, and the settings that change them.

import { hash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'

const open = ({ url }: { readonly url: string }, path: string, headers = {}) =>
  fetch(`${url}${path}`, { headers: { accept: 'text/html', ...headers } })

/** A policy's directives, each with its sources. */
const directivesOf = ({ headers }: Response) =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )

describe.each(['/', '/graphql'])('the headers of the page at %s', (path) => {
  test('name the hash of its script, and nothing else that may run', async ({ gateway }) => {
    const response = await open(gateway, path)
    const text = await response.text()
    expect(text).not.toContain('Only trusted documents run')
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(text) ?? []
    expect(directivesOf(response)).toMatchObject({
      ...{ 'default-src': "'none'", 'base-uri': "'none'", 'form-action': "'none'" },
      'frame-ancestors': "'none'",
      'script-src': `'sha256-${hash('sha256', script, 'base64')}'`,
      'connect-src': "'self'",
      ...(path === '/' && { 'style-src': expect.stringMatching(/^'sha256-.{44}'$/) }),
    })
  })

  test('keep it to itself, also with 304', async ({ gateway }) => {
    const first = await open(gateway, path)
    const again = await open(gateway, path, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([first.status, again.status]).toEqual([200, 304])
    for (const { headers } of [first, again])
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': first.headers.get('content-security-policy'),
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      })
  })
})

const note = 'runs only the documents of its manifest (GRAPHQL_ONLY_DOCUMENTS)'
const trusted = { GRAPHQL_DOCUMENTS: 'documents.json' }
const only = { ...trusted, GRAPHQL_ONLY_DOCUMENTS: 'on' }

test.for<[settings: Readonly<Record<string, string>>, path: string, text: string, isShown: boolean]>([
  [only, '/', note, true],
  [trusted, '/', note, false],
  [{ EXPLORER: 'off' }, '/', 'MissingParameter', true],
  [{ EXPLORER: 'off' }, '/explain', 'NotFound', true],
])('with %j, the page at %s has "%s": %s', async (row, { place, withSettings }) => {
  const [settings, path, text, isShown] = row
  place.write('documents.json', '{"trusted": "{ __typename }"}')
  const manifest = join(place.path, 'documents.json')
  const own = 'GRAPHQL_DOCUMENTS' in settings ? { ...settings, GRAPHQL_DOCUMENTS: manifest } : settings
  const page = await (await open(await withSettings(own), path)).text()
  expect(page.includes(text)).toBe(isShown)
})
