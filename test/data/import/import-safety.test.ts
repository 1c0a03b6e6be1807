// What an import must never do to what is there already.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const bad = csvFile('1,x,X,no rank,1,true,false')
const importing = (file: string, ...flags: string[]) => place.run(['import', 'users', file, ...flags])

test('rejects are not written over the database', async () => {
  place.write('good.csv', csvFile(csvRow(1)))
  place.write('bad.csv', bad)
  await importing('good.csv')
  const { status, stderr } = await importing('bad.csv', '--skip-invalid', './lookup.db')
  expect(status).toBe(2)
  expect(stderr).toContain('lookup.db')
  expect(await place.ids()).toEqual([1])
})

test('nothing but invalid rows replace no row', async () => {
  place.write('good.csv', csvFile(csvRow(1)))
  place.write('bad.csv', bad)
  await importing('good.csv')
  const { status } = await importing('bad.csv', '--replace', '--skip-invalid', 'rejects.jsonl')
  expect(status).toBe(1)
  expect(await place.ids()).toEqual([1])
})

test('a failed import leaves no new database behind', async () => {
  place.write('bad.csv', bad)
  expect((await importing('bad.csv')).status).toBe(1)
  expect(existsSync(join(place.path, 'lookup.db'))).toBe(false)
})

test('rows that end as on Windows under a header that does not are read alike', async () => {
  const header = 'id,username,rank,joinDate,isConfirmed,banned,displayName\n'
  place.write('mixed.csv', `${header}1,a,1,1,1,0,A\r\n2,b,1,1,1,0,B\n`)
  expect((await importing('mixed.csv')).status).toBe(0)
  expect((await place.run(['export', 'users'])).stdout).toContain('"displayName":"A"')
})

test.for<[string, string]>([
  ['a table', csvFile(csvRow(7))],
  ['JSON Lines of users', '{"id":1,"username":"a"}\n'],
  ['a text', 'notes\n'],
])('a file for rejects that is %s is kept', async ([, text]) => {
  place.write('good.csv', csvFile(csvRow(1)))
  place.write('mine', text)
  expect(await importing('good.csv', '--skip-invalid', 'mine')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'mine exists, and is no list of rejects. Name a new file with --skip-invalid: invalid rows are written to it.\n',
  })
  expect(readFileSync(join(place.path, 'mine'), 'utf8')).toBe(text)
})

test('a list of rejects is replaced by the next one', async () => {
  place.write('bad.csv', csvFile(csvRow(1), csvRow(2, { rank: 'x' })))
  for (const _ of [1, 2])
    expect(await importing('bad.csv', '--replace', '--skip-invalid', 'rejects.jsonl')).toMatchObject({
      status: 0,
    })
})

test.for([
  ['--rate', ['--rate', '3']],
  ['--header', ['--header', 'X: y']],
  ['--ids', ['--ids', '1-5']],
] as const)('an option of copies is refused for a file: %s', async ([name, flags]) => {
  place.write('good.csv', csvFile(csvRow(1)))
  expect(await importing('good.csv', ...flags)).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      new RegExp(`^${name} is for copies from an old service, and good\\.csv is not its address\\. `),
    ),
  })
  expect(await importing('http://127.0.0.1:1/', '--format', 'csv', '--ids', '1-5')).toMatchObject({
    status: 2,
    stderr: '--format is for files. Leave it out for an old service.\n',
  })
})
