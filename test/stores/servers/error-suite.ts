// What errors of real servers mean for a lookup, and for the operator.

import { expect, test } from 'vitest'
import type { ErrorKinds } from '../../../src/stores/servers/errors.ts'

/** By a letter: whether an error is about data, a lost connection, a refused login, and so on. */
const kinds = {
  d: 'isAboutData',
  u: 'isUntranslatable',
  c: 'isConnectionLost',
  l: 'isLoginRefused',
  p: 'isPassing',
  f: 'isServerFull',
  s: 'isStatementTooSlow',
  r: 'isWorthRetrying',
} as const

/** A failure, the letters of all kinds that it is of, and its line for the operator. */
export type ErrorCase = readonly [what: string, fail: () => Promise<unknown>, letters: string, says?: RegExp]

export const kindsOf = (errors: ErrorKinds, error: unknown): string =>
  Object.entries(kinds)
    .filter(([, kind]) => errors[kind](error))
    .map(([letter]) => letter)
    .join('')

export function errorSuite(errors: ErrorKinds, cases: readonly ErrorCase[]): void {
  test.for(cases)('%s', async ([, fail, letters, says = /./]) => {
    const error = await fail()
    expect(errors.describeError(error)).toMatch(says)
    expect(kindsOf(errors, error)).toBe(letters)
  })
}

/** What a promise fails with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )
