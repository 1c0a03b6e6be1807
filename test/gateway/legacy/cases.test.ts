// Requests with the bytes that the old service in PHP gave (test/php/generate.php).

import { expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { ask, contentTypes } from './support/ask.ts'
import { caseData, cases } from './support/cases.ts'

test('the gateway sends the bytes of PHP', async ({ withSettings }) => {
  const { url } = await withSettings({}, caseData)
  for (const { name, request, response } of cases) {
    const { status, headers, body } = await ask(url, request)
    const type = contentTypes[response.startsWith('<?xml') ? 'XML' : 'JSON']
    expect.soft([status, headers['content-type'], body], name).toEqual([200, type, response])
  }
})
