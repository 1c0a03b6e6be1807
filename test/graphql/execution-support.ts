import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, getOperationAST, parse } from 'graphql'
import { onTestFinished } from 'vitest'
import type { SqliteLocation } from '../../src/config/database.ts'
import { createCallReader } from '../../src/graphql/calls.ts'
import { planOf } from '../../src/graphql/cost.ts'
import type { QueryDocument } from '../../src/graphql/documents.ts'
import { createExecution, type Execution } from '../../src/graphql/execute.ts'
import { subgraphOf } from '../../src/graphql/federation.ts'
import { schema as plainSchema } from '../../src/graphql/schema.ts'
import { noTrustedDocuments } from '../../src/graphql/trusted.ts'
import { createLookups, type Lookups } from '../../src/lookups/lookups.ts'
import type { Observation } from '../../src/observe/events.ts'
import { openCountingStore } from '../lookups/counting-store.ts'

export type Variables = Readonly<Record<string, unknown>>

/** The schema with the fields for routers. */
export const schema = subgraphOf(plainSchema)

type Limits = Partial<Omit<Parameters<typeof createExecution>[0], 'lookups' | 'observe' | 'schema'>>

/** An execution over lookups, and what it observes. */
export async function executionOver(lookups: Lookups, limits: Limits = {}) {
  const observed: Observation[] = []
  const observe = (observation: Observation) => observed.push(observation)
  const defaults = { maxValues: 100, maxFields: 1000, maxResponseBytes: 8_388_608 }
  const execution = createExecution({ schema, lookups, observe, ...defaults, ...limits })
  // The first use loads the compiler.
  if (limits.compileOnUse === 1) await runIn(execution, parse('{ __typename }'))
  await import('graphql-jit')
  await setImmediate()
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
  const lookups = createLookups(store, () => {})
  return { store, ...(await executionOver(lookups, limits)) }
}

const read = new WeakMap<Execution, WeakMap<DocumentNode, QueryDocument>>()

/** Runs an operation of a valid document, which is read once for each execution. */
export async function runIn(
  execution: Execution,
  document: DocumentNode,
  variables: Variables = {},
  operationName: string | null = null,
  context = execution.createContext(),
): Promise<ExecutionResult> {
  const documents = read.get(execution) ?? new WeakMap<DocumentNode, QueryDocument>()
  read.set(execution, documents)
  const operations = documents.get(document)?.operations ?? execution.readOperations(document)
  const known = { document, operations, errors: [] }
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

/** The cost of an operation. */
export function planOfText(query: string, of: GraphQLSchema = schema) {
  const document = parse(query)
  const operation = getOperationAST(document)
  if (operation == null) throw new Error('no operation')
  return planOf(of, document, operation)
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
