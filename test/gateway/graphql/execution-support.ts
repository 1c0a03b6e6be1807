import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type DocumentNode, type ExecutionResult, parse, validate } from 'graphql'
import { createExecution, type Execution } from '../../../src/gateway/graphql/execution.ts'
import { subgraphOf } from '../../../src/gateway/graphql/federation.ts'
import { schema as plainSchema } from '../../../src/gateway/graphql/schema.ts'
import { createLookups } from '../../../src/gateway/loaders/lookups.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import type { Gateway } from '../../kit/gateway.ts'

export type Variables = Readonly<Record<string, unknown>>

export const MAX_VALUES = 20

/** With what routers ask for. */
export const schema = subgraphOf(plainSchema)

/** Two executions over one database: one compiles every operation, the other none. */
export async function twoExecutions({ database }: Gateway) {
  const store = await openStore(database, () => {})
  const lookups = createLookups(store, () => {})
  const options = { schema, lookups, maxValues: MAX_VALUES, maxFields: 10_000, observe: () => {} }
  const compiling = createExecution({ ...options, compileOnUse: 1 })
  const interpreting = createExecution({ ...options, compileOnUse: Number.POSITIVE_INFINITY })
  await untilCompiling(compiling)
  return { compiling, interpreting, close: async () => store.close() }
}

// The compiler is loaded in the background. An operation is compiled once it no longer heeds its document.
export async function untilCompiling(execution: Execution): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const document = parse('{ before: __typename }')
    await run(execution, document)
    const { data } = await run(execution, renameField(document))
    if (data !== null && data !== undefined && 'before' in data) return
    await setImmediate()
  }
  throw new Error('operations are never compiled')
}

// The very same operation node, with another alias.
function renameField(document: DocumentNode): DocumentNode {
  const [operation] = document.definitions
  const field = operation?.kind === 'OperationDefinition' ? operation.selectionSet.selections[0] : undefined
  if (field?.kind !== 'Field' || field.alias === undefined) throw new Error('not the expected document')
  Object.assign(field.alias, { value: 'after' })
  return document
}

/** Runs a document that must be valid: others never get that far. */
export async function run(
  execution: Execution,
  document: DocumentNode,
  variables?: Variables,
  operationName?: string,
): Promise<ExecutionResult> {
  const faults = validate(schema, document)
  if (faults.length > 0) throw new Error(`not a valid document: ${faults.join('\n')}`)
  return execution.run({ document, variableValues: variables, operationName }, execution.createContext())
}

/** What a client can tell apart: the data in its order, and the errors, in any order. */
export function comparable({ data, errors }: ExecutionResult) {
  const shown = errors?.map(({ message, path, extensions: { requestId, ...extensions } }) => ({
    path: path?.join('.') ?? null,
    message,
    // Empty ones are not written.
    extensions: Object.keys(extensions).length === 0 ? undefined : JSON.stringify(extensions),
    masked: requestId !== undefined,
  }))
  const sorted = shown?.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return { data: JSON.stringify(data), errors: sorted }
}

/** The fields of an answer, all objects together. */
export function fieldsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + fieldsOf(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, member) => sum + 1 + fieldsOf(member), 0)
}

/** Puts rows into the database that no import would let in. */
export function corrupt({ database }: Gateway, sql: string): void {
  const connection = new DatabaseSync(database.path)
  connection.exec(sql)
  connection.close()
}
