import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sample } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { change, query } from './sqlite/support.ts'
import { views } from './sqlite/views.ts'

const objects = `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`
const columns = `SELECT t.type, t.name, c.name, c.type, c."notnull", c.pk
  FROM sqlite_schema AS t LEFT JOIN pragma_table_info(t.name) AS c ORDER BY t.name, c.cid`

test('makes the database and its tables as schema/sqlite.sql has them, and says where', async ({ place }) => {
  expect(await place.run(['migrate'])).toEqual({
    status: 0,
    stdout: 'The tables users and apps are in lookup.db.\n',
    stderr: '',
  })
  expect([await place.ids('users'), await place.ids('apps')]).toEqual([[], []])
  const published = join(place.path, 'published.db')
  change(published, readFileSync(new URL('../../schema/sqlite.sql', import.meta.url), 'utf8'))
  expect(query(join(place.path, 'lookup.db'), columns)).toEqual(query(published, columns))
})

test('twice is once, and the rows stay', async ({ place }) => {
  const all = async () => [query(join(place.path, 'lookup.db'), objects), await place.ids()]
  await place.run(['import', 'users', sample.users])
  const before = await all()
  expect(await place.run(['migrate'])).toMatchObject({ status: 0, stderr: '' })
  expect(await all()).toEqual(before)
})

test('adds what is missing, and leaves views alone', async ({ place }) => {
  const path = join(place.path, 'lookup.db')
  change(path, `${views}; DROP VIEW apps`)
  expect(await place.run(['migrate'])).toMatchObject({ status: 0 })
  const made = query(
    path,
    `SELECT type, name FROM sqlite_schema WHERE name IN ('users', 'apps') ORDER BY name`,
  )
  expect(made).toEqual([
    ['table', 'apps'],
    ['view', 'users'],
  ])
})

test.for([
  ['sqlite:none/lookup.db', 'none/lookup.db'],
  ['sqlite:text.db', 'text.db'],
])('%s, which cannot be a database, is named in one line', async ([url = '', name = ''], { place }) => {
  place.write('text.db', 'text\n'.repeat(1000))
  const { status, stdout, stderr } = await place.run(['migrate', '--database', url])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr).toContain(name)
})
