// Errors of an import that an operator reads, whatever the engine.

import type { Relation } from '../data/relation.ts'
import type { ErrorKinds } from './servers/errors.ts'

/** A view cannot be filled. */
export function viewError({ name }: Relation): Error {
  return new Error(`${name} is a view in this database: import into the tables that it reads`)
}

/** The connection was lost while the server committed: all rows are there, or none. */
export class UnknownOutcome extends Error {}

type LossKinds = Pick<ErrorKinds, 'isConnectionLost' | 'reasonOf'>

/** Waits for a COMMIT. The server may have committed although its response was lost. */
export async function awaitCommit(commit: Promise<unknown>, kinds: LossKinds): Promise<void> {
  try {
    await commit
  } catch (error) {
    if (!kinds.isConnectionLost(error)) throw error
    throw new UnknownOutcome(
      `The outcome of the import is unknown: the connection was lost during COMMIT (${kinds.reasonOf(error)}). ` +
        'Either all rows were imported or none. Check with "lookup export", and import again if they are missing.',
    )
  }
}

/** About a lost connection, a driver may say no more than ECONNRESET. Other errors stay as they are. */
export function explainLoss(error: unknown, { isConnectionLost, reasonOf }: LossKinds): unknown {
  if (error instanceof UnknownOutcome || !isConnectionLost(error)) return error
  return new Error(
    `the connection was lost during the import (${reasonOf(error)}). ` +
      'See the log of the server for the reason, and import again',
  )
}
