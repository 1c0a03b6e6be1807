// A store that fails for one value: an error at its place, and data at the others.

import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { ProfileLookupDocument } from '../../../src/gateway/legacy/operations.generated.ts'
import { createLookups } from '../../../src/gateway/loaders/lookups.ts'
import { makeCaller } from '../../kit/caller.ts'
import { type CountingStore, openCountingStore } from '../loaders/counting-store.ts'
import { untilCompiling } from './execution-support.ts'

const caller = makeCaller()
const failed = { message: new LookupError('Unavailable').message, extensions: { code: 'UNAVAILABLE' } }

describe.each([
  ['compiled', 1],
  ['interpreted', Number.POSITIVE_INFINITY],
])('an operation that is %s', (_how, compileOnUse) => {
  let store: CountingStore
  let execution: Execution
  beforeEach(async () => {
    store = await openCountingStore()
    const lookups = createLookups(store, () => {})
    const limits = { maxValues: 100, maxFields: 1000 }
    execution = createExecution({ schema, lookups, ...limits, observe: () => {}, compileOnUse })
    if (compileOnUse === 1) await untilCompiling(execution)
    store.failing.set('2', new LookupError('Unavailable'))
  })
  afterEach(() => store.remove())
  const run = (query: string) => execution.run({ document: parse(query) }, execution.createContext(caller))

  test('has an error at each path of a failed value, and all other items', async () => {
    const query = '{ users(values: ["1", "2", "99", "2"]) { id } again: users(values: ["3"]) { id } }'
    expect(await run(query)).toMatchObject({
      data: { users: [{ id: '1' }, null, null, null], again: [{ id: '3' }] },
      errors: [
        { ...failed, path: ['users', 1] },
        { ...failed, path: ['users', 3] },
      ],
    })
    expect(await run('{ user(value: "2") { id } again: user(value: "3") { id } }')).toMatchObject({
      data: { user: null, again: { id: '3' } },
      errors: [{ ...failed, path: ['user'] }],
    })
  })

  test('fails as a whole where every item of a list failed', async () => {
    expect((await run('{ users(values: ["2"]) { id } }')).errors).toMatchObject([
      { ...failed, path: ['users'] },
    ])
  })

  test('is a failed legacy lookup', async () => {
    const look = (values: string[]) =>
      execution.executeStored(ProfileLookupDocument, { by: 'ID', values }, caller)
    await expect(look(['1', '2'])).rejects.toMatchObject({ code: 'Unavailable', status: 503 })
    expect((await look(['1'])).entries).toMatchObject([{ id: '1' }])
  })

  test('shares a query with others, of which only those that asked for the failed value see it', async () => {
    const answers = await Promise.all(
      ['1', '2', '3'].map((id) => run(`{ users(values: ["${id}", "4"]) { id } }`)),
    )
    expect(store.queries).toHaveLength(1)
    expect(answers.map(({ errors }) => errors?.length ?? 0)).toEqual([0, 1, 0])
  })
})
