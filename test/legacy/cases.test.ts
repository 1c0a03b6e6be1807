// The bytes of PHP, which test/php writes, and of other languages.

import { expect } from 'vitest'
import { test } from '../kit/test.ts'
import { ask, contentTypes } from './support/ask.ts'
import { byteRows, targetOf } from './support/bytes.ts'
import { caseData, cases } from './support/cases.ts'
import { xmlFacts } from './support/facts.ts'

test('the default dialect', async ({ withSettings }) => {
  const { url } = await withSettings({}, caseData)
  for (const { name, request, response } of cases) {
    const { status, headers, body } = await ask(url, request)
    const type = contentTypes[response.startsWith('<?xml') ? 'XML' : 'JSON']
    expect.soft([status, headers['content-type'], body], name).toEqual([200, type, response])
  }
})

const groups = Map.groupBy(byteRows, ({ dialect }) => JSON.stringify(dialect))

test.for([...groups.values()])('$0.dialect', async (rows, { withSettings }) => {
  const { url } = await withSettings(rows[0]?.dialect, caseData)
  for (const row of rows) {
    const { status, body, headers } = await ask(url, targetOf(row))
    expect.soft([status, Buffer.from(body, 'latin1').toString()]).toEqual([200, row.response])
    expect.soft(headers['content-length']).toBe(String(body.length))
  }
})

test('XML of every style is well-formed', async () => {
  const documents = byteRows.filter(({ format }) => format === 'XML').map(({ response }) => response)
  expect(await xmlFacts(documents)).toHaveLength(documents.length)
})

test('texts of any length are written whole', async ({ withSettings }) => {
  const { url } = await withSettings({ 'missing.json': 'null', 'missing.xml': '<Data Value="{value}"/>' })
  const send = async (name: string, format: 'JSON' | 'XML') =>
    (
      await ask(
        url,
        `/?Event=ProfileLookup&MethodOfAccessingUserInformation=chat&Users=${name}&Format=${format}`,
      )
    ).body
  for (const times of [1, 1_000, 21_000, 3]) {
    const name = '\uffff'.repeat(times)
    expect(await send(name, 'JSON')).toBe(`{"${'\\uffff'.repeat(times)}":null}`)
    const value = '&#xFFFD;'.repeat(times)
    expect(await send(name, 'XML')).toBe(
      `<?xml version="1.0"?>\n<ServiceAPI><Data Value="${value}"/></ServiceAPI>\n`,
    )
  }
})
