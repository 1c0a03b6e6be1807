import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type DocumentNode, type ExecutionResult, parse, validate } from 'graphql'
import { onTestFinished } from 'vitest'
import type { SqliteLocation } from '../../src/config/database.ts'
import { createCallReader } from '../../src/graphql/calls.ts'
import type { QueryDocument } from '../../src/graphql/documents.ts'
import { createExecution, type Execution } from '../../src/graphql/execute.ts'
import { subgraphOf } from '../../src/graphql/federation.ts'
import { schema as plainSchema } from '../../src/graphql/schema.ts'
import { noTrustedDocuments } from '../../src/graphql/trusted.ts'
import { createLookups, type Lookups } from '../../src/lookups/lookups.ts'
import type { Observation } from '../../src/observe/events.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { openCountingStore } from '../lookups/counting-store.ts'

export type Variables = Readonly<Record<string, unknown>>

export const MAX_VALUES = 20

/** The schema with the fields for routers. */
export const schema = subgraphOf(plainSchema)

type Limits = Partial<Omit<Parameters<typeof createExecution>[0], 'lookups' | 'observe' | 'schema'>>

/** An execution over lookups, and what it observes. */
export async function executionOver(lookups: Lookups, limits: Limits = {}) {
  const observed: Observation[] = []
  const observe = (observation: Observation) => observed.push(observation)
  const options = {
    schema,
    lookups,
    observe,
    maxValues: 100,
    maxFields: 1000,
    maxResponseBytes: 8_388_608,
    ...limits,
  }
  const execution = createExecution(options)
  if (limits.compileOnUse === 1) await untilCompiling(execution)
  return {
    execution,
    observed,
    run: (query: string, variables: Variables = {}) => runIn(execution, parse(query), variables),
  }
}

/** The same over a store that counts its queries; the end of the test removes it. */
export async function countedExecution(limits: Limits = {}) {
  const store = await openCountingStore()
  onTestFinished(store.remove)
  return {
    store,
    ...(await executionOver(
      createLookups(store, () => {}),
      limits,
    )),
  }
}

/** Two executions over one database: the first compiles every operation, the second none. */
export async function twoExecutions(database: SqliteLocation) {
  const store = await openStore(database, () => {})
  const lookups = createLookups(store, () => {})
  const limits = { maxValues: MAX_VALUES, maxFields: 10_000 }
  const { execution: compiling } = await executionOver(lookups, { ...limits, compileOnUse: 1 })
  const { execution: interpreting } = await executionOver(lookups, { ...limits, compileOnUse: Infinity })
  return { compiling, interpreting, close: async () => store.close() }
}

// The compiler is loaded in the background. An operation is compiled once it no longer heeds its document.
async function untilCompiling(execution: Execution): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    const document = parse('{ before: __typename }')
    await run(execution, document)
    const { data } = await run(execution, renameField(document))
    if (data !== null && data !== undefined && 'before' in data) return
    await setImmediate()
  }
  throw new Error('operations are never compiled')
}

const read = new WeakMap<Execution, WeakMap<DocumentNode, QueryDocument>>()

/** Runs an operation of a document, which is read once for each execution. */
export async function runIn(
  execution: Execution,
  document: DocumentNode,
  variables: Variables = {},
  operationName: string | null = null,
  context = execution.createContext(),
): Promise<ExecutionResult> {
  const documents = read.get(execution) ?? new WeakMap<DocumentNode, QueryDocument>()
  read.set(execution, documents)
  const known = documents.get(document) ?? {
    document,
    operations: execution.readOperations(document),
    errors: [],
  }
  documents.set(document, known)
  const readCalls = createCallReader({
    readQuery: () => known,
    trusted: noTrustedDocuments,
    onlyTrusted: false,
    maxTokens: Number.POSITIVE_INFINITY,
  })
  const parameters = { query: '', documentId: null, operationName, variables, extensions: null }
  const [result] = await execution.run(readCalls([parameters]), context)
  if (result === undefined) throw new Error('no result')
  return result
}

// The very same operation node, with another alias.
export function renameField(document: DocumentNode): DocumentNode {
  const [operation] = document.definitions
  const field = operation?.kind === 'OperationDefinition' ? operation.selectionSet.selections[0] : undefined
  if (field?.kind !== 'Field' || field.alias === undefined) throw new Error('not the expected document')
  Object.assign(field.alias, { value: 'after' })
  return document
}

/** Runs a document that must be valid: invalid ones never reach the execution. */
export async function run(
  execution: Execution,
  document: DocumentNode,
  variables?: Variables,
  operationName?: string,
): Promise<ExecutionResult> {
  const faults = validate(schema, document)
  if (faults.length > 0) throw new Error(`not a valid document: ${faults.join('\n')}`)
  return runIn(execution, document, variables, operationName)
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

/** The number of fields in a response, all objects together. */
export function fieldsOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + fieldsOf(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum, member) => sum + 1 + fieldsOf(member), 0)
}

/** Puts rows into the database that no import would let in. */
export function corrupt({ database }: { readonly database: SqliteLocation }, sql: string): void {
  const connection = new DatabaseSync(database.path)
  connection.exec(sql)
  connection.close()
}
