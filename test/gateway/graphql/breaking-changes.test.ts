// What breaks operations of clients, against the schema of the last release, is in the changelog.
// That one is kept here, under the version of package.json: CONTRIBUTING.md says how.

import { readFileSync } from 'node:fs'
import { buildSchema, findBreakingChanges } from 'graphql'
import { describe, expect, test } from 'vitest'
import about from '../../../package.json' with { type: 'json' }
import { schema } from '../../../src/gateway/graphql/schema.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** What breaks, in graphql-js's words, and is not in the section of a changelog that is not released. */
function unnamed(before: string, after: typeof schema, changelog: string): string[] {
  const section = changelog.split(/^## /m).find((one) => one.startsWith('Unreleased\n')) ?? ''
  // Lines are wrapped somewhere.
  const text = section.replace(/\s+/g, ' ')
  const changes = findBreakingChanges(buildSchema(before), after)
  return changes.map(({ description }) => description).filter((description) => !text.includes(description))
}

test('what breaks since the last release is in CHANGELOG.md, under Unreleased', () => {
  // To name a change there, copy the sentence of this failure.
  expect(unnamed(read(`schema-${about.version}.graphql`), schema, read('../../../CHANGELOG.md'))).toEqual([])
})

describe('a change', () => {
  const before = 'type Query { users(values: [String!]!): [User]! } type User { id: ID! rank: Int! }'
  const after = buildSchema(
    'type Query { users(values: [String!]!): [User] more: Int } type User { id: ID! }',
  )
  const changes = ['Query.users changed type from [User]! to [User].', 'User.rank was removed.']

  test.each([
    ['that nothing names fails', '# Changelog\n\n## Unreleased\n\n- More.\n', changes],
    ['of which there is no section fails', '# Changelog\n', changes],
    [
      'that an older version names fails',
      `## Unreleased\n\n- More.\n\n## 0.1.0\n\n- ${changes.join(' ')}\n`,
      changes,
    ],
    ['of several that one names leaves the others', `## Unreleased\n\n- ${changes[1]}\n`, [changes[0]]],
    [
      'that is named passes, on several lines, too',
      `## Unreleased\n\n- Query.users changed type\n  from [User]! to [User]. User.rank was removed.\n\n## 0.1.0\n`,
      [],
    ],
  ])('%s', (_name, changelog, expected) => {
    expect(unnamed(before, after, changelog)).toEqual(expected)
  })
})
