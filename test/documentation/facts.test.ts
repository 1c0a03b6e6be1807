// What pages say is what the code says.

import { expect, test } from 'vitest'
import { printSettings } from '../../docs/settings.ts'
import { relations } from '../../src/data/relations.ts'
import { settings } from '../../src/settings.ts'
import { readPage } from '../kit/documentation.ts'

test('docs/settings.md has each setting once, as the code has it', () => {
  const page = readPage('docs/settings.md')
  expect(page).toBe(printSettings())
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(named.toSorted()).toEqual(Object.keys(settings).toSorted())
})

test.for(Object.values(relations))('docs/data.md has the columns of $name, in order', ({ name, columns }) => {
  expect(namesBelow(`column of ${name}`)).toEqual(columns.map((column) => column.name))
})

/** The names, set as code, in the column of a table that has this heading. */
function namesBelow(heading: string): string[] {
  const table = readPage('docs/data.md')
    .split('\n\n')
    .find((block) => block.startsWith('|') && block.includes(`| ${heading} |`))
  const rows = table?.split('\n').map((row) => row.split(/ *\| */)) ?? []
  const at = rows[0]?.indexOf(heading) ?? -1
  return rows.flatMap((cells) => [...(cells[at] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

test('the README is read in four minutes, and shows what a gateway says when it starts', () => {
  expect(Buffer.byteLength(readPage('README.md'))).toBeLessThan(12 * 1024)
  expect(readPage('README.md')).toMatch(/```\nLookup Service is running/)
})
