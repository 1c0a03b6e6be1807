// A value that GraphQL cannot write, were a store to let it through: a fault of ours, and told as one.

import { parse } from 'graphql'
import { expect, test } from 'vitest'
import type { User } from '../../../src/data/users.ts'
import { createExecution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import type { Lookups } from '../../../src/gateway/loaders/lookups.ts'
import type { Observation } from '../../../src/observation.ts'
import { untilCompiling } from './execution-support.ts'

const user: User = {
  id: 1,
  username: 'ada',
  displayName: 'Ada',
  rank: 1,
  joinDate: 1,
  isConfirmed: true,
  banned: false,
}

const broken: readonly (readonly [field: string, user: User])[] = [
  ['rank', { ...user, rank: 2 ** 31 }],
  ['rank', { ...user, rank: 1.5 }],
  ['joinDate', { ...user, joinDate: 2 ** 53 }],
]

test.each(broken)('%s of %j is masked, and observed', async (field, row) => {
  const lookups: Lookups = { findUsers: async () => [row, user], findApps: async () => [] }
  const query = `{ users(values: ["1", "2"]) { ${field} } user(value: "1") { ${field} } }`
  for (const compileOnUse of [1, Number.POSITIVE_INFINITY]) {
    const observed: Observation[] = []
    const observe = (observation: Observation) => observed.push(observation)
    const options = { schema, lookups, maxValues: 10, maxFields: 100, observe, compileOnUse }
    const execution = createExecution(options)
    if (compileOnUse === 1) await untilCompiling(execution)
    const { data, errors } = await execution.run({ document: parse(query) }, execution.createContext())
    expect(data).toEqual({ users: [null, { [field]: 1 }], user: null })
    expect(errors?.map(({ path, extensions: { code } }) => [path?.join('.'), code])).toEqual([
      [`users.0.${field}`, 'INTERNAL'],
      [`user.${field}`, 'INTERNAL'],
    ])
    expect(errors?.map(({ message }) => message).join('\n')).not.toMatch(/cannot represent|SafeInt|\d{4}/)
    const types = observed.map(({ type }) => type).filter((type) => type !== 'graphql-operation')
    expect(types).toEqual(['unexpected'])
  }
})
