// The facade's stored operations: the same answers and failures, compiled or not.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LookupError } from '../../../src/errors.ts'
import type { Execution } from '../../../src/gateway/graphql/execution.ts'
import { AppLookupDocument, ProfileLookupDocument } from '../../../src/gateway/legacy/operations.generated.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { corrupt, MAX_VALUES, twoExecutions } from './execution-support.ts'

let gateway: Gateway
let executions: Awaited<ReturnType<typeof twoExecutions>>
beforeAll(async () => {
  gateway = await startGateway()
  executions = await twoExecutions(gateway)
})
afterAll(async () => {
  await executions.close()
  await gateway.close()
})

/** What each execution does with it, several times over. */
async function outcomes(look: (execution: Execution) => Promise<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for (const execution of [executions.interpreting, executions.compiling]) {
    for (let use = 1; use <= 4; use++) found.push(await look(execution).catch((error: unknown) => error))
  }
  return found
}

test('profiles', async () => {
  const variables = { by: 'USERNAME', values: ['ada', 'nobody', 'the_last_one'] } as const
  for (const found of await outcomes((execution) =>
    execution.executeStored(ProfileLookupDocument, variables),
  )) {
    expect(found).toEqual({
      entries: [
        expect.objectContaining({ id: '1', username: 'Ada', joinDate: 1199145600, isConfirmed: true }),
        null,
        expect.objectContaining({ id: '9007199254740991', joinDate: Number.MAX_SAFE_INTEGER }),
      ],
    })
  }
})

test('apps', async () => {
  const variables = { values: ['2', '99', '007'] }
  for (const found of await outcomes((execution) => execution.executeStored(AppLookupDocument, variables))) {
    expect(found).toEqual({ entries: [expect.objectContaining({ title: 'Paint & Paper' }), null, null] })
  }
})

test('too many values', async () => {
  const variables = { values: Array.from({ length: MAX_VALUES + 1 }, String) }
  for (const found of await outcomes((execution) => execution.executeStored(AppLookupDocument, variables))) {
    expect(found).toBeInstanceOf(LookupError)
    expect(found).toMatchObject({ code: 'TooManyValues' })
  }
})

test('a store that fails', async () => {
  corrupt(gateway, 'ALTER TABLE apps RENAME TO gone')
  const variables = { values: ['1'] }
  const found = await outcomes((execution) => execution.executeStored(AppLookupDocument, variables))
  corrupt(gateway, 'ALTER TABLE gone RENAME TO apps')
  for (const failure of found) {
    expect(failure).toBeInstanceOf(LookupError)
    expect(failure).toMatchObject({ code: 'Unavailable' })
  }
})
