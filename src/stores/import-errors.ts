// What keeps an import from going on, in the same words for every store.

import type { Relation } from '../data/relation.ts'
import type { ErrorKinds } from './servers/errors.ts'

/** A view cannot be filled. */
export function viewError({ name }: Relation): Error {
  return new Error(`${name} is a view in this database: import into the tables that it reads`)
}

/** The connection was lost while the server committed: all rows are there, or none. */
export class UnknownOutcome extends Error {}

/** Waits for a COMMIT, of which the server's answer may be lost though it was carried out. */
export async function settle(
  commit: Promise<unknown>,
  { isConnectionLost, reasonOf }: Pick<ErrorKinds, 'isConnectionLost' | 'reasonOf'>,
): Promise<void> {
  try {
    await commit
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    throw new UnknownOutcome(
      `The outcome of the import is unknown: the connection was lost during COMMIT (${reasonOf(error)}). ` +
        'Either all rows were imported or none. Check with "lookup export", and import again if they are missing.',
    )
  }
}

/** Of a connection that is lost, a driver may say no more than ECONNRESET. Other errors stay as they are. */
export function explainLoss(
  error: unknown,
  { isConnectionLost, reasonOf }: Pick<ErrorKinds, 'isConnectionLost' | 'reasonOf'>,
): unknown {
  if (error instanceof UnknownOutcome || !isConnectionLost(error)) return error
  return new Error(
    `the connection was lost during the import (${reasonOf(error)}). ` +
      'See the log of the server for the reason, and import again',
  )
}
