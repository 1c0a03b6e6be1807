// The one way an operation runs: requests of clients and the facade's stored operations alike.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  execute as interpret,
  type OperationDefinitionNode,
} from 'graphql'
import type { Caller } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import type { Observe } from '../../observation.ts'
import type { Lookups } from '../loaders/lookups.ts'
import type { RequestContext } from './builder.ts'
import { createCompiler, type UseCompiled } from './compiled.ts'
import { type Cost, type CountCost, createCounter } from './cost.ts'
import { noOperation, refusalError, requestError, showErrors } from './errors.ts'
import { createVariableReader, type ReadVariables } from './variables.ts'

type Variables = Readonly<Record<string, unknown>>

/** Runs a stored operation: its data, or what a resolver threw. */
type ExecuteStored = <Data, V extends Variables>(
  operation: TypedDocumentNode<Data, V>,
  variables: V,
  caller?: Caller | null,
) => Promise<Data>

/** A parsed and validated document, and what a client wants of it. */
export interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

export interface Execution {
  readonly createContext: (caller?: Caller | null) => RequestContext
  /**
   * Runs an operation of a client. What it asks for is counted and charged first: beyond the limits it is
   * refused whole. Errors come as clients may see them.
   */
  readonly run: (operation: Operation, context: RequestContext) => Promise<ExecutionResult>
  readonly executeStored: ExecuteStored
}

export interface ExecutionLimits {
  /** Values that one request may ask for, over all its fields. */
  readonly maxValues: number
  /** Fields that the response to one request may have. */
  readonly maxFields: number
}

interface ExecutionOptions extends ExecutionLimits {
  readonly schema: GraphQLSchema
  readonly lookups: Lookups
  readonly observe: Observe
  /** An operation is compiled when it is used this many times; until then graphql-js interprets it. */
  readonly compileOnUse?: number
}

interface Prepared {
  readonly readVariables: ReadVariables
  readonly countCost: CountCost
  readonly useCompiled: UseCompiled
}

export function createExecution(options: ExecutionOptions): Execution {
  const { schema, lookups, maxValues, maxFields, observe, compileOnUse = 3 } = options
  const compiler = createCompiler(schema, compileOnUse)
  // What is prepared lives as long as the parsed document it belongs to. The bounded cache of documents holds
  // those of clients, so a stream of distinct queries is neither compiled nor kept.
  const known = new WeakMap<OperationDefinitionNode, Prepared>()

  function prepare(document: DocumentNode, operation: OperationDefinitionNode): Prepared {
    let prepared = known.get(operation)
    if (prepared === undefined) {
      prepared = {
        readVariables: createVariableReader(schema, operation.variableDefinitions ?? []),
        countCost: createCounter(schema, document, operation, maxFields),
        useCompiled: compiler(document, operation),
      }
      known.set(operation, prepared)
    }
    return prepared
  }

  /** @throws LookupError `TooManyValues`, `TooManyFields` */
  function check({ values, fields }: Cost): void {
    if (values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
    if (fields > maxFields) throw new LookupError('TooManyFields', [String(maxFields)])
  }

  async function run(asked: Operation, context: RequestContext): Promise<ExecutionResult> {
    const { document, variableValues } = asked
    const operationName = asked.operationName ?? undefined
    const operation = getOperationAST(document, operationName)
    if (operation == null) return { errors: [noOperation] }
    const { readVariables, countCost, useCompiled } = prepare(document, operation)
    const { coerced, errors } = readVariables(variableValues ?? {})
    if (coerced === undefined) return { errors: errors.map((error) => requestError(error)) }
    try {
      const cost = countCost(coerced)
      check(cost)
      context.values = cost.values
      // Not awaited where nothing is charged: a promise would cost more than the counting.
      if (context.caller?.charge !== undefined) await context.caller.charge(cost.values)
    } catch (error) {
      if (error instanceof LookupError) return { errors: [refusalError(error)] }
      throw error
    }
    const used = useCompiled()
    const compiled = used?.fits(coerced) ? used : null
    const result =
      compiled === null
        ? await interpret({ schema, document, operationName, variableValues, contextValue: context })
        : await compiled.query(undefined, context, coerced)
    if (result.errors === undefined) return result
    const worded = compiled === null ? result.errors : compiled.reword(result.errors)
    return { errors: showErrors(worded, result.data, context.caller, observe), data: result.data ?? null }
  }

  const executeStored: ExecuteStored = async (document, variables, caller = null) => {
    const contextValue = createContext(caller)
    const operation = getOperationAST(document)
    if (operation == null) throw new Error('a stored document has one operation')
    // The variables are our own, and typed by codegen: there is nothing to read.
    const { countCost, useCompiled } = prepare(document, operation)
    const { values } = countCost(variables)
    if (values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
    if (caller?.charge !== undefined) await caller.charge(values)
    const compiled = useCompiled()
    const result = await (compiled === null
      ? interpret({ schema, document, contextValue, variableValues: variables })
      : compiled.query(undefined, contextValue, variables))
    const error = result.errors?.[0]
    if (error !== undefined) throw error.originalError ?? error
    return result.data as never // codegen typed this very document against this very schema
  }

  function createContext(caller: Caller | null = null): RequestContext {
    return { lookups, caller, values: 0 }
  }

  return { createContext, run, executeStored }
}
