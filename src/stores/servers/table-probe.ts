// The very lookups that requests make, one for each table. Where one table is locked, by ALTER TABLE say, the
// server is still asked for the other.

import type { Ask, Questions } from './engine.ts'
import { type ErrorKinds, QueryTimeout } from './errors.ts'

/** One table gives no answer in time, and the other does. */
export class SilentTable extends Error {
  readonly table: string

  constructor(table: string, { message }: Error) {
    super(`${table}: ${message}`)
    this.table = table
  }
}

/**
 * @param ask of a server that has just answered
 * @throws SilentTable for one table; the first error where neither answers
 */
export async function askTables(
  ask: Ask,
  { usersById, appsById }: Pick<Questions, 'usersById' | 'appsById'>,
  { isStatementTooSlow }: Pick<ErrorKinds, 'isStatementTooSlow'>,
): Promise<void> {
  const late: { readonly table: string; readonly error: Error }[] = []
  const questions = { users: usersById(['0']), apps: appsById(['0']) }
  for (const [table, question] of Object.entries(questions)) {
    await ask(question).catch((error: unknown) => {
      if (!(error instanceof QueryTimeout) && !isStatementTooSlow(error)) throw error
      late.push({ table, error })
    })
  }
  const [first] = late
  if (first === undefined) return
  throw late.length === 1 ? new SilentTable(first.table, first.error) : first.error
}
