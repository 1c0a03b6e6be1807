// A store that fails for one value: an error at its place, and data at the others.

import { type DocumentNode, parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { schema } from '../../../src/gateway/graphql/schema.ts'
import { ProfileLookupDocument } from '../../../src/gateway/legacy/operations.generated.ts'
import { createLookups } from '../../../src/gateway/loaders/lookups.ts'
import { makeCaller } from '../../kit/caller.ts'
import { type CountingStore, openCountingStore } from '../loaders/counting-store.ts'
import { untilCompiling } from './execution-support.ts'

let store: CountingStore
let compiling: Execution
let interpreting: Execution
beforeEach(async () => {
  store = await openCountingStore()
  const lookups = createLookups(store, () => {})
  const options = { schema, lookups, maxValues: 100, maxFields: 1000, observe: () => {} }
  compiling = createExecution({ ...options, compileOnUse: 1 })
  interpreting = createExecution({ ...options, compileOnUse: Number.POSITIVE_INFINITY })
  await untilCompiling(compiling)
  store.failing.set('2', new LookupError('Unavailable'))
})
afterEach(() => store.remove())

const caller = makeCaller()
const run = (execution: Execution, document: DocumentNode) =>
  execution.run({ document }, execution.createContext(caller))

describe.each(['compiled', 'interpreted'])('an operation that is %s', (how) => {
  const execution = () => (how === 'compiled' ? compiling : interpreting)
  const failed = { message: new LookupError('Unavailable').message, extensions: { code: 'UNAVAILABLE' } }

  test('has an error at the path of the failed item, and all other items', async () => {
    const document = parse('{ users(values: ["1", "2", "99"]) { id } again: users(values: ["3"]) { id } }')
    for (let time = 1; time <= 2; time++) {
      expect(await run(execution(), document)).toMatchObject({
        data: { users: [{ id: '1' }, null, null], again: [{ id: '3' }] },
        errors: [{ ...failed, path: ['users', 1] }],
      })
    }
  })

  test('has one error for each place of a failed value', async () => {
    const { data, errors } = await run(execution(), parse('{ users(values: ["2", "1", "2"]) { id } }'))
    expect(data).toEqual({ users: [null, { id: '1' }, null] })
    expect(errors?.map(({ path }) => path)).toEqual([
      ['users', 0],
      ['users', 2],
    ])
  })

  test('has null, and an error, where it asks for the failed value alone', async () => {
    const document = parse('{ user(value: "2") { id } again: user(value: "3") { id } }')
    for (let time = 1; time <= 2; time++) {
      expect(await run(execution(), document)).toMatchObject({
        data: { user: null, again: { id: '3' } },
        errors: [{ ...failed, path: ['user'] }],
      })
    }
  })

  test('fails as a whole where every item of a list failed', async () => {
    const { errors } = await run(execution(), parse('{ users(values: ["2"]) { id } }'))
    expect(errors).toMatchObject([{ ...failed, path: ['users'] }])
  })

  test('is a failed legacy lookup', async () => {
    const ask = (values: string[]) =>
      execution().executeStored(ProfileLookupDocument, { by: 'ID', values }, caller)
    await expect(ask(['1', '2'])).rejects.toMatchObject({ code: 'Unavailable', status: 503 })
    expect((await ask(['1'])).entries).toMatchObject([{ id: '1' }])
  })
})

test('of the requests that share a query, only those that asked for the failed value see it', async () => {
  const answers = await Promise.all(
    ['1', '2', '3'].map(async (id) => run(interpreting, parse(`{ users(values: ["${id}", "4"]) { id } }`))),
  )
  expect(store.queries).toHaveLength(1)
  expect(answers.map(({ errors }) => errors?.length ?? 0)).toEqual([0, 1, 0])
})
