// What errors of real servers mean for a lookup, and for the operator.

import { expect, test } from 'vitest'
import type { ErrorKinds } from '../../../src/stores/servers/errors.ts'

const kinds = [
  'isAboutData',
  'isConnectionLost',
  'isLoginRefused',
  'isPassing',
  'isServerFull',
  'isStatementTooSlow',
  'isUntranslatable',
  'isWorthRetrying',
] as const
export type Kind = (typeof kinds)[number]

/** A failure, its line for the operator, and all kinds that it is of. */
export type ErrorCase = readonly [
  what: string,
  fail: () => Promise<unknown>,
  says: RegExp,
  yes: readonly Kind[],
]

export const kindsOf = (errors: ErrorKinds, error: unknown): readonly Kind[] =>
  kinds.filter((kind) => errors[kind](error))

export function errorSuite(errors: ErrorKinds, cases: readonly ErrorCase[]): void {
  test.for(cases)('%s', async ([, fail, says, yes]) => {
    const error = await fail()
    expect(errors.describeError(error)).toMatch(says)
    expect(kindsOf(errors, error)).toEqual(yes.toSorted())
  })
}

/** What a promise fails with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
