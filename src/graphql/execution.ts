// The one way an operation runs: requests of clients and the facade's stored operations alike.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql'
import type { Caller } from '../caller.ts'
import { checkResponseSize } from '../data/response-size.ts'
import { LookupError } from '../errors.ts'
import type { Lookups } from '../gateway/loaders/lookups.ts'
import type { Observe } from '../observe/events.ts'
import type { RequestContext } from './builder.ts'
import { createRunner, type RunOperation } from './compiled.ts'
import { type Cost, type CountCost, createCounter, lookupKeysOf } from './cost.ts'
import { isBadInput, isOutage, noOperation, refusalError, requestError, showErrors } from './errors.ts'
import { fieldsOf, operationNameOf } from './usage.ts'
import { createVariableReader, type ReadVariables } from './variables.ts'

type Variables = Readonly<Record<string, unknown>>

/** Runs a stored operation: its data, or what a resolver threw. */
type ExecuteStored = <Data, V extends Variables>(
  operation: TypedDocumentNode<Data, V>,
  variables: V,
  caller?: Caller | null,
) => Promise<Data>

/** A parsed and validated document, and what a client wants of it. */
interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

export interface Execution {
  readonly createContext: (caller?: Caller | null, clientName?: string) => RequestContext
  /**
   * Runs an operation of a client. What it asks for is counted and charged first: beyond the limits it is
   * refused whole. Errors come as clients may see them.
   */
  readonly run: (operation: Operation, context: RequestContext) => Promise<ExecutionResult>
  readonly executeStored: ExecuteStored
}

interface ExecutionOptions {
  readonly schema: GraphQLSchema
  readonly lookups: Lookups
  readonly observe: Observe
  /** Values that one request may ask for, over all its fields. */
  readonly maxValues: number
  /** Fields that the response to one request may have. */
  readonly maxFields: number
  /** Bytes that all texts of a response may have. */
  readonly maxResponseBytes: number
  /** Whether errors name nothing of the schema that the client has not named. */
  readonly hideSuggestions?: boolean
  /** An operation is compiled when it is used this many times; until then graphql-js interprets it. */
  readonly compileOnUse?: number
}

interface Prepared {
  readonly readVariables: ReadVariables
  readonly countCost: CountCost
  readonly run: RunOperation
  /** What its uses are counted as. */
  readonly operation: string
  readonly fields: readonly string[]
  /** Response keys of the root fields that look values up. */
  readonly lookupKeys: ReadonlySet<string>
}

export function createExecution(options: ExecutionOptions): Execution {
  const { schema, lookups, maxValues, maxFields, maxResponseBytes, observe } = options
  const { compileOnUse = 3, hideSuggestions } = options
  const runnerOf = createRunner(schema, compileOnUse)
  // What is prepared lives as long as the parsed document it belongs to. The bounded cache of documents holds
  // those of clients, so a stream of distinct queries is neither compiled nor kept.
  const known = new WeakMap<OperationDefinitionNode, Prepared>()

  function prepare(document: DocumentNode, operation: OperationDefinitionNode): Prepared {
    let prepared = known.get(operation)
    if (prepared === undefined) {
      prepared = {
        readVariables: createVariableReader(schema, operation.variableDefinitions ?? [], hideSuggestions),
        countCost: createCounter(schema, document, operation),
        run: runnerOf(document, operation),
        operation: operationNameOf(operation),
        fields: fieldsOf(schema, document, operation),
        lookupKeys: lookupKeysOf(schema, document, operation),
      }
      known.set(operation, prepared)
    }
    return prepared
  }

  async function run(asked: Operation, context: RequestContext): Promise<ExecutionResult> {
    const { document, operationName, variableValues } = asked
    const operation = getOperationAST(document, operationName)
    if (operation == null) return { errors: [noOperation] }
    const prepared = prepare(document, operation)
    const given = variableValues ?? {}
    const { coerced, errors } = prepared.readVariables(given)
    if (coerced === undefined) return { errors: errors.map((error) => requestError(error, 'BAD_USER_INPUT')) }
    const { values, fields } = prepared.countCost(coerced)
    try {
      if (values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
      if (fields > maxFields) throw new LookupError('TooManyFields', [String(maxFields)])
      context.values = values
      const turn = admission(context.caller, { values, fields })
      if (turn !== undefined) await turn
    } catch (error) {
      if (error instanceof LookupError) return { errors: [refusalError(error)] }
      throw error
    }
    const { clientName } = context
    observe({
      type: 'graphql-operation',
      client: clientName,
      operation: prepared.operation,
      fields: prepared.fields,
    })
    const result = await prepared.run(context, coerced, given)
    try {
      checkResponseSize(result.data, fields, maxResponseBytes)
    } catch (error) {
      if (error instanceof LookupError) return { errors: [refusalError(error)] }
      throw error
    }
    if (result.errors === undefined) return result
    if (result.data == null && result.errors.every(isBadInput))
      return { errors: result.errors.map((error) => requestError(error, 'BAD_USER_INPUT')) }
    const isLost = result.data == null || isOutage(result.errors, result.data, prepared.lookupKeys)
    const data = isLost ? null : (result.data ?? null)
    return { errors: showErrors(result.errors, data, context.caller, observe), data }
  }

  const executeStored: ExecuteStored = async (document, variables, caller = null) => {
    const operation = getOperationAST(document)
    if (operation == null) throw new Error('a stored document has one operation')
    // The variables are our own, and typed by codegen: there is nothing to read.
    const { countCost, run } = prepare(document, operation)
    const cost = countCost(variables)
    if (cost.values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
    const turn = admission(caller, cost)
    if (turn !== undefined) await turn
    const result = await run(createContext(caller), variables)
    const error = result.errors?.[0]
    if (error !== undefined) throw error.originalError ?? error
    return result.data as never // codegen typed this very document against this very schema
  }

  function createContext(caller: Caller | null = null, clientName = ''): RequestContext {
    return { lookups, caller, clientName, values: 0, malformed: 0 }
  }

  return { createContext, run, executeStored }
}

/**
 * Charges a client for an operation, and waits until there is time for it.
 * @returns undefined if there is nothing to wait for: a promise would cost more than the counting
 */
function admission(caller: Caller | null, { values, fields }: Cost): Promise<void> | undefined {
  if (caller?.charge === undefined) return caller?.waitForTurn?.(fields)
  return caller.charge(values).then(() => caller.waitForTurn?.(fields))
}
