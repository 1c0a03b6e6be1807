// What breaks operations of clients, against the schema of the last release, is in the changelog.
// That one is kept here, under the version of package.json: CONTRIBUTING.md says how.

import { readFileSync } from 'node:fs'
import { buildSchema, findBreakingChanges } from 'graphql'
import { expect, test } from 'vitest'
import about from '../../../package.json' with { type: 'json' }
import { schema } from '../../../src/gateway/graphql/schema.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('what breaks since the last release is in CHANGELOG.md, under Unreleased', () => {
  const sections = read('../../../CHANGELOG.md').split(/^## /m)
  // Lines are wrapped somewhere.
  const unreleased = sections.find((one) => one.startsWith('Unreleased\n'))?.replace(/\s+/g, ' ') ?? ''
  const changes = findBreakingChanges(buildSchema(read(`schema-${about.version}.graphql`)), schema)
  // To name a change there, copy the sentence of this failure.
  expect(
    changes.map(({ description }) => description).filter((description) => !unreleased.includes(description)),
  ).toEqual([])
})
