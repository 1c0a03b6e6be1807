// What an import must never do to what is there already.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { csvFile, csvRow, makeWorkplace, type Workplace } from '../../support/workplace.ts'

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
