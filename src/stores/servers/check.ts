// The health check of a server: whether lookups can read both relations. It reads them as lookups do, so that
// it finds a locked table, and a column whose type has changed.

import type { Relation } from '../../data/relation.ts'
import { storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { messageOf } from '../../text.ts'
import type { RunStatement, ServerRow, Statements } from './driver.ts'
import { type ErrorKinds, QueryTimeout } from './errors.ts'

/** Statements about one table time out, and those about the other table do not. */
export class SilentTable extends Error {
  readonly table: string

  constructor(table: string, reason: string) {
    super(`${table}: ${reason}`)
    this.table = table
  }
}

/** Columns are missing, or of a type that lookups cannot read. */
export class UnusableRelation extends Error {}

type CheckErrors = Pick<ErrorKinds, 'isStatementTooSlow' | 'isPassing' | 'codeOf'>

/**
 * @param run sends statements to a server that has just responded
 * @throws SilentTable, UnusableRelation, or the first error if no table can be read
 */
export async function checkRelations(
  run: RunStatement,
  statements: Statements,
  errors: CheckErrors,
): Promise<void> {
  const late: SilentTable[] = []
  const faults: string[] = []
  for (const relation of Object.values(relations)) {
    try {
      faults.push(...(await findFaults(run, relation, statements, errors)))
    } catch (error) {
      if (!(error instanceof QueryTimeout) && !errors.isStatementTooSlow(error)) throw error
      late.push(new SilentTable(relation.name, messageOf(error)))
      if (late.length > 1) throw error
    }
  }
  if (faults.length > 0) throw new UnusableRelation(faults.join('; '))
  if (late[0] !== undefined) throw late[0]
}

/** Finds columns that are missing or of a wrong type. @throws the error if the relation cannot be read */
export async function findFaults(
  run: RunStatement,
  relation: Relation,
  statements: Statements,
  errors: CheckErrors,
): Promise<readonly string[]> {
  try {
    return faultsOf(relation, await run(statements.describe(relation, 'needed')), statements)
  } catch (error) {
    if (errors.codeOf(error) === null || errors.isPassing(error) || errors.isStatementTooSlow(error))
      throw error
    // A role may have rights on the needed columns and no others. And a view may read a column that is gone.
    const columns = await run(statements.describe(relation, 'all')).catch(() => [])
    const faults = columns.length === 0 ? [] : faultsOf(relation, columns, statements)
    if (faults.length === 0) throw error
    return faults
  }
}

/** @param columns rows of a name, a type, and the kinds of fields that it can hold */
function faultsOf(
  relation: Relation,
  columns: readonly ServerRow[],
  { types }: Pick<Statements, 'types'>,
): string[] {
  const { name } = relation
  return storedColumns(relation).flatMap(({ sql, type }) => {
    const column = columns.find(([candidate]) => String(candidate).toLowerCase() === sql)
    if (column === undefined) return [`${name} has no column ${sql}`]
    const [, found, kinds] = column
    if (String(kinds).split(' ').includes(type)) return []
    return [`${name}.${sql} is of type ${found}, and must be ${types[type]}`]
  })
}
