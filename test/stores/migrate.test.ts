import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sample } from '../kit/gateway.ts'
import { test } from '../kit/test.ts'
import { change, query, views } from './sqlite/support.ts'

const columns = `SELECT t.type, t.name, c.name, c.type, c."notnull", c.pk
  FROM sqlite_schema AS t LEFT JOIN pragma_table_info(t.name) AS c ORDER BY t.name, c.cid`

test('makes the tables as schema/sqlite.sql has them, says where, and leaves rows alone', async ({
  place,
}) => {
  const path = join(place.path, 'lookup.db')
  const stdout = 'The tables users and apps are in lookup.db.\n'
  expect(await place.run(['migrate'])).toEqual({ status: 0, stdout, stderr: '' })
  const published = join(place.path, 'published.db')
  change(published, readFileSync(new URL('../../schema/sqlite.sql', import.meta.url), 'utf8'))
  expect(query(path, columns)).toEqual(query(published, columns))
  await place.run(['import', 'users', sample.users])
  expect(await place.run(['migrate'])).toEqual({ status: 0, stdout, stderr: '' })
  expect(query(path, columns)).toEqual(query(published, columns))
  expect(await place.ids()).toHaveLength(14)
})

test('adds what is missing, and leaves views alone', async ({ place }) => {
  const path = join(place.path, 'lookup.db')
  change(path, `${views}; DROP VIEW apps`)
  expect(await place.run(['migrate'])).toMatchObject({ status: 0 })
  const made = `SELECT type, name FROM sqlite_schema WHERE name IN ('users', 'apps') ORDER BY name`
  expect(query(path, made)).toEqual([
    ['table', 'apps'],
    ['view', 'users'],
  ])
})

test.for(['none/lookup.db', 'text.db'])(
  '%s, which cannot be a database, is named',
  async (name, { place }) => {
    place.write('text.db', 'text\n'.repeat(1000))
    const { status, stdout, stderr } = await place.run(['migrate', '--database', `sqlite:${name}`])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^.*${name}.*\n$`))
  },
)
