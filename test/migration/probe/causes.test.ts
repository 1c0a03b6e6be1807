// For each cause of differences, the choice of the dialect that would remove it.

import { expect, test } from 'vitest'
import { defaultDialect } from '../../../src/legacy/dialect.ts'
import { createFacade } from '../../../src/legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../../src/legacy/known-rows.ts'
import { createChoiceFinder } from '../../../src/migration/probe/causes.ts'
import { responseOf } from '../../../src/migration/probe/responses.ts'

const user = (id: string, username: string) => {
  return { id, username, displayName: username, rank: 1, joinDate: 2, isConfirmed: true, banned: false }
}
const find = rowFinder({ users: [user('1', 'Ada'), user('2', 'Bob')], apps: [] })
const { read, json } = defaultDialect
const old = createFacade(
  { ...defaultDialect, read: { ...read, repeated: 'last' }, json: { ...json, ids: 'text' } },
  1000,
)
const gateway = createFacade(defaultDialect, 1000)
const example = (query: string) => {
  return {
    query,
    old: responseOf(legacyResponseTo(old, find, query)),
    gateway: responseOf(legacyResponseTo(gateway, find, query)),
  }
}

test('is named by fitting the examples', () => {
  const other = example('Event=ProfileLookup&Users=1')
  const causes = [
    {
      ...{ scope: 'response', field: 'answer', kind: 'refused' },
      examples: [example('Event=ProfileLookup&Users=1&Users=2&Format=XML')],
    },
    {
      ...{ scope: 'field', field: 'Id', kind: 'type' },
      examples: [example('Event=ProfileLookup&Users=1:2'), example('Event=ProfileLookup&Users=2')],
    },
    {
      ...{ scope: 'field', field: 'Id', kind: 'value' },
      examples: [{ ...other, old: { ...other.old, body: Buffer.from('{"1":{"Id":7}}') } }],
    },
  ]
  const gateway = { dialect: defaultDialect, maxValues: 1000, allowOf: () => null }
  expect(causes.map(createChoiceFinder(causes, gateway))).toEqual([
    [{ choice: 'read.repeated', value: 'last' }],
    [{ choice: 'json.ids', value: 'text' }],
    [],
  ])
})
