// The health check of a server: whether lookups can read both relations. It reads them as lookups do, so that
// it finds a locked table, and a column whose type has changed.

import { type Relation, storedColumns } from '../../data/relation.ts'
import { relations } from '../../data/relations.ts'
import { messageOf } from '../../text.ts'
import type { Engine, RunStatement, ServerRow } from './driver.ts'
import { QueryTimeout } from './errors.ts'

/** Statements about one table time out, and those about the other table do not. */
export class SilentTable extends Error {
  readonly table: string

  constructor(table: string, error: unknown) {
    super(`${table}: ${messageOf(error)}`)
    this.table = table
  }
}

/** Columns are missing, or of a type that lookups cannot read. */
export class UnusableRelation extends Error {}

type CheckedEngine = Pick<Engine, 'errors' | 'statements'>

/**
 * @param run sends statements to a server that has just responded
 * @throws SilentTable, UnusableRelation, or the first error if no table can be read
 */
export async function checkRelations(run: RunStatement, engine: CheckedEngine): Promise<void> {
  let silent: SilentTable | null = null
  const faults: string[] = []
  for (const relation of Object.values(relations)) {
    try {
      faults.push(...(await findFaults(run, relation, engine)))
    } catch (error) {
      const isLate = error instanceof QueryTimeout || engine.errors.isStatementTooSlow(error)
      if (!isLate || silent !== null) throw error
      silent = new SilentTable(relation.name, error)
    }
  }
  if (faults.length > 0) throw new UnusableRelation(faults.join('; '))
  if (silent !== null) throw silent
}

/** Finds columns that are missing or of a wrong type. @throws the error if the relation cannot be read */
export async function findFaults(
  run: RunStatement,
  relation: Relation,
  { errors, statements }: CheckedEngine,
): Promise<readonly string[]> {
  const faultsOf = (columns: readonly ServerRow[]) => listFaults(relation, columns, statements.types)
  try {
    return faultsOf(await run(statements.describe(relation, 'needed')))
  } catch (error) {
    if (errors.codeOf(error) === null || errors.isPassing(error) || errors.isStatementTooSlow(error))
      throw error
    // A view may read a column that was dropped, and a role may have rights on the needed columns only.
    const columns = await run(statements.describe(relation, 'all')).catch(() => [])
    const faults = columns.length === 0 ? [] : faultsOf(columns)
    if (faults.length === 0) throw error
    return faults
  }
}

/** @param columns rows of a name, a type, and the kinds of fields that it can hold */
function listFaults(
  relation: Relation,
  columns: readonly ServerRow[],
  types: Engine['statements']['types'],
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
