// Users that are written in any way that means the same, and cut anywhere, are read back as they were.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cell } from '../../../src/data/fields.ts'
import { users } from '../../../src/data/users.ts'
import { runs, seedOf } from '../../kit/generate.ts'
import { readFile } from '../read.ts'

// Texts made of what CSV, JSON and UTF-8 find hardest, and of anything at all.
const hard = fc.constantFrom(
  '"',
  '""',
  ',',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  'a',
  'é',
  '花',
  '🌸',
  '\ufeff',
  '\u2028',
)
const anyText = fc
  .oneof(fc.string({ unit: hard, maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 8 }))
  .map((text) => text.replaceAll('\0', ''))
const username = anyText.map((text) => `u${text.replace(/[:\p{Cc}]/gu, '')}`)
const bit = fc.constantFrom(0, 1)
const id = fc.integer({ min: 1, max: 2 ** 31 })
const user = fc
  .tuple(id, username, fc.option(anyText), anyText, fc.integer(), fc.maxSafeInteger(), bit, bit)
  // An empty chatId stands for none.
  .map((cells): Cell[] => cells.map((cell, index) => (index === 2 && cell === '' ? null : cell)))

/** How a file may be written without changing what it says. */
const style = fc.record({
  newline: fc.constantFrom('\n', '\r\n'),
  lastNewline: fc.boolean(),
  bom: fc.boolean(),
  quoteAll: fc.boolean(),
  chunkSizes: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
})

function quote(cell: Cell, always: boolean): string {
  const text = cell === null ? '' : String(cell)
  return always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const names = users.columns.map((column) => column.name)
const table = fc.array(user, { maxLength: 12 })

export function generatedSuite(): void {
  test.for(['csv', 'jsonl'] as const)(
    'generated users in %s are read as they were written',
    async (format) => {
      const property = fc.asyncProperty(table, style, async (rows, { newline, bom, lastNewline, ...how }) => {
        const asJson = (row: Cell[]) =>
          JSON.stringify(Object.fromEntries(row.map((cell, at) => [names[at], cell])))
        const asCsv = (row: Cell[]) => row.map((cell) => quote(cell, how.quoteAll)).join(',')
        const lines = format === 'csv' ? [names, ...rows].map(asCsv) : rows.map(asJson)
        const text = (bom ? '\ufeff' : '') + lines.join(newline) + (lastNewline ? newline : '')
        const records = await readFile(format, text, how.chunkSizes)
        expect(records.map(({ result }) => result)).toEqual(rows)
        if (format === 'jsonl') return
        const startOf = (_: string, index: number) =>
          lines.slice(0, index).join(newline).split('\n').length + (index > 0 ? 1 : 0)
        expect(records.map(({ line }) => line)).toEqual(lines.map(startOf).slice(1))
      })
      await fc.assert(property, { numRuns: runs(200, 5_000), seed: seedOf(`generated users in ${format}`) })
    },
  )
}
