import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sample } from '../kit/gateway.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { change, query } from './sqlite/support.ts'
import { views } from './sqlite/views.ts'

let place: Workplace
let path: string
beforeEach(() => {
  place = makeWorkplace()
  path = join(place.path, 'lookup.db')
})
afterEach(() => place.remove())

const objects = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`

test('makes the database and its tables, and says where', async () => {
  expect(await place.run(['migrate'])).toEqual({
    status: 0,
    stdout: 'The tables users and apps are in lookup.db.\n',
    stderr: '',
  })
  expect(await place.ids('users')).toEqual([])
  expect(await place.ids('apps')).toEqual([])
})

test('makes what schema/sqlite.sql says', async () => {
  await place.run(['migrate'])
  const published = join(place.path, 'published.db')
  change(published, readFileSync(new URL('../../schema/sqlite.sql', import.meta.url), 'utf8'))
  const shape = (of: string) => query(of, objects).map(([type, name]) => [type, name])
  expect(shape(path)).toEqual(shape(published))
  const columns = `SELECT t.name, c.name, c.type, c."notnull", c.pk FROM sqlite_schema AS t, pragma_table_info(t.name) AS c`
  expect(query(path, columns)).toEqual(query(published, columns))
})

test('twice is once, and the data stays', async () => {
  await place.run(['import', 'users', sample.users])
  const before = [query(path, objects), await place.ids()]
  expect(await place.run(['migrate'])).toMatchObject({ status: 0, stderr: '' })
  expect([query(path, objects), await place.ids()]).toEqual(before)
})

test('adds what is missing, and leaves views alone', async () => {
  change(path, `${views}; DROP VIEW apps`)
  expect(await place.run(['migrate'])).toMatchObject({ status: 0 })
  expect(
    query(path, `SELECT type, name FROM sqlite_schema WHERE name IN ('users', 'apps') ORDER BY name`),
  ).toEqual([
    ['table', 'apps'],
    ['view', 'users'],
  ])
})

test.for([
  ['sqlite:none/lookup.db', 'none/lookup.db'],
  ['sqlite:text.db', 'text.db'],
])('%s, which cannot be a database, is named in one line', async ([url = '', name = '']) => {
  place.write('text.db', 'text\n'.repeat(1000))
  const { status, stdout, stderr } = await place.run(['migrate', '--database', url])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr).toContain(name)
})
