import { describe, expect, test } from 'vitest'
import { apps } from '../../src/data/apps.ts'
import type { Cell } from '../../src/data/fields.ts'
import { type Relation, readRecord } from '../../src/data/relation.ts'
import { users } from '../../src/data/users.ts'
import { rules } from './column-rules.ts'

const goodUser = {
  id: '7',
  username: 'ada',
  chatId: 'chat-7',
  displayName: 'Ada',
  rank: '1',
  joinDate: '2',
  isConfirmed: 'true',
  banned: '0',
}
const goodApp = {
  id: '7',
  title: 'Almanac',
  version: '1.2.3',
  category: '4',
  changelogLink: 'https://apps.example/changelog',
  downloadLink: 'https://apps.example/7/',
}

function read(relation: Relation, record: Readonly<Record<string, string>>): Cell[] | string {
  return readRecord(
    relation,
    relation.columns.map(({ name }) => record[name] ?? null),
  )
}

for (const [relation, good] of [
  [users, goodUser],
  [apps, goodApp],
] as const) {
  describe(relation.name, () => {
    test('every column has a rule here', () => {
      expect(Object.keys(rules[relation.name])).toEqual(relation.columns.map(({ name }) => name))
    })
    for (const [index, { name, allowed }] of relation.columns.entries()) {
      const { valid, invalid } = rules[relation.name][name] ?? { valid: [], invalid: [] }
      test.for(valid)(`${name} may be %j`, ([text, cell]) => {
        const cells = read(relation, { ...good, [name]: text })
        expect(cells[index]).toBe(cell)
        expect(cells).toHaveLength(relation.columns.length)
      })
      test.for(invalid)(`${name} cannot be %j`, (text) => {
        const complaint = read(relation, { ...good, [name]: text })
        expect(complaint).toBeTypeOf('string')
        expect(complaint).toContain(name)
        // Either the column's own rule, or the one about the end of the link.
        expect([allowed, '/7/'].some((rule) => complaint.includes(rule))).toBe(true)
      })
      test(`${name} that is missing`, () => {
        const { [name]: _gone, ...rest } = good as Record<string, string>
        const result = read(relation, rest)
        if (name === 'chatId') expect(result[index]).toBeNull()
        else expect(result).toBe(`${name} is missing`)
      })
    }
  })
}

test('a complaint shows the start of a long text', () => {
  const complaint = read(users, { ...goodUser, rank: '9'.repeat(5000) })
  expect(complaint).toBe(`rank cannot be "${'9'.repeat(60)}…": it must be a 32-bit integer`)
})

test('a complaint cuts no character in two', () => {
  const complaint = read(users, { ...goodUser, rank: `${'x'.repeat(59)}🌸🌸` })
  expect(String(complaint).isWellFormed()).toBe(true)
})
