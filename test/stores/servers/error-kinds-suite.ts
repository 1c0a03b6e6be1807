// What a lookup does about errors, for any engine. Each engine's own test makes its errors on real servers.

import { expect, test } from 'vitest'
import type { ErrorKinds } from '../../../src/stores/servers/errors.ts'

type Kinds<Kind extends string> = Readonly<Record<Kind, (error: unknown) => boolean>>

/** A failure, and all kinds that it is of. */
export type ErrorCase<Kind extends string> = readonly [
  what: string,
  fail: () => Promise<unknown>,
  yes: readonly Kind[],
]

/** The kinds that all engines have. */
export function kindsOf(errors: ErrorKinds) {
  const { isAboutData, isWorthRetrying, isUntranslatable, isStatementTooSlow } = errors
  const { isConnectionLost, isPassing, isCancelled } = errors
  return {
    ...{ isAboutData, isWorthRetrying, isUntranslatable, isStatementTooSlow },
    ...{ isConnectionLost, isPassing, isCancelled },
  }
}

export function errorKindsSuite<Kind extends string>(
  kinds: Kinds<Kind>,
  cases: readonly ErrorCase<NoInfer<Kind>>[],
): void {
  test.for(cases)('%s', async ([, fail, yes]) => {
    const error = await fail()
    const answered = Object.entries<Kinds<Kind>[Kind]>(kinds).filter(([, isSo]) => isSo(error))
    expect(answered.map(([kind]) => kind).toSorted()).toEqual(yes.toSorted())
  })
}
