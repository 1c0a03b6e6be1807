import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cell } from '../../../src/data/fields.ts'
import { users } from '../../../src/data/users.ts'
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
const joinDate = fc.maxSafeInteger()
const bit = fc.constantFrom(0, 1)

const user = fc
  .tuple(
    fc.integer({ min: 1, max: 2 ** 31 }),
    username,
    fc.option(anyText),
    anyText,
    fc.integer(),
    joinDate,
    bit,
    bit,
  )
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

test('users written as CSV and cut anywhere are read back the same, with the lines they start on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(user, { maxLength: 12 }), style, async (rows, { newline, bom, ...how }) => {
      const lines = [names, ...rows].map((row) => row.map((cell) => quote(cell, how.quoteAll)).join(','))
      const starts = lines.map(
        (_, index) => lines.slice(0, index).join(newline).split('\n').length + (index > 0 ? 1 : 0),
      )
      const text = (bom ? '\ufeff' : '') + lines.join(newline) + (how.lastNewline ? newline : '')
      const records = await readFile('csv', users, text, how.chunkSizes)
      expect(records.map(({ result }) => result)).toEqual(rows)
      expect(records.map(({ line }) => line)).toEqual(starts.slice(1))
    }),
    { numRuns: 600 },
  )
}, 60_000)

test('users written as JSON Lines and cut anywhere are read back the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(user, { maxLength: 12 }), style, async (rows, { newline, bom, ...how }) => {
      const lines = rows.map((row) =>
        JSON.stringify(Object.fromEntries(row.map((cell, at) => [names[at], cell]))),
      )
      const text = (bom ? '\ufeff' : '') + lines.join(newline) + (how.lastNewline ? newline : '')
      const records = await readFile('jsonl', users, text, how.chunkSizes)
      expect(records.map(({ result }) => result)).toEqual(rows)
    }),
    { numRuns: 300 },
  )
}, 60_000)
