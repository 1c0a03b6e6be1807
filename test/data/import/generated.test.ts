import { expect, test } from 'vitest'
import { generate } from '../../../bench/generate.ts'
import { relations } from '../../../src/data/relations.ts'
import { usernameKey } from '../../../src/model.ts'
import { column, problems, readFile } from '../read.ts'

const COUNT = 5000

test.for(['users', 'apps'] as const)('every generated row of %s is valid', async (name) => {
  const records = await readFile('csv', relations[name], [...generate(name, COUNT)].join(''))
  expect(problems(records)).toEqual([])
  expect(column(relations[name], 'id', records)).toEqual(
    Array.from({ length: COUNT }, (_, index) => index + 1),
  )
})

test('no two generated users clash', async () => {
  const records = await readFile('csv', relations.users, [...generate('users', COUNT)].join(''))
  const keys = column(relations.users, 'username', records).map((username) => usernameKey(String(username)))
  const chatIds = column(relations.users, 'chatId', records).filter((chatId) => chatId !== null)
  expect(new Set(keys).size).toBe(COUNT)
  expect(new Set(chatIds).size).toBe(chatIds.length)
  expect(chatIds.length).toBeLessThan(COUNT)
})

test('generated names hold what is hard to read', async () => {
  const records = await readFile('csv', relations.users, [...generate('users', COUNT)].join(''))
  const names = column(relations.users, 'displayName', records).map(String)
  for (const hard of [
    /,/,
    /"/,
    /\n/,
    /&/,
    /</,
    /^$/,
    /\p{Script=Han}/u,
    /\p{Script=Arabic}/u,
    /\p{Emoji_Presentation}/u,
  ]) {
    expect(names.filter((name) => hard.test(name)).length).toBeGreaterThan(5)
  }
})

test('the same seed makes the same rows, another one makes others', () => {
  const rows = (seed?: number) => [...generate('users', 100, seed)].join('')
  expect(rows()).toBe(rows(1))
  expect(rows(2)).not.toBe(rows(1))
})
