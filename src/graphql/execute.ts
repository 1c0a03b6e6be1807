// Runs every operation: those of clients, and the stored ones of the legacy interface.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import type { Caller } from '../caller.ts'
import { checkResponseSize } from '../data/response-size.ts'
import { LookupError } from '../errors.ts'
import type { Lookups } from '../lookups/lookups.ts'
import type { Observe } from '../observe/events.ts'
import type { ResolverContext } from './builder.ts'
import { type Cost, MAX_INTROSPECTION, tooMuchIntrospection, type Variables } from './cost.ts'
import { asBadInput, isBadInput, isOutage, refusalError, requestError, showErrors } from './errors.ts'
import { checkCosts } from './field-cost.ts'
import { asInterpreted, createOperations, type Operation, type ReadOperations } from './operation.ts'

/** An operation with its variables. */
export interface OperationCall {
  readonly operation: Operation
  /** Coerced. */
  readonly variables: Variables
  readonly cost: Cost
}

export interface Execution {
  readonly readOperations: ReadOperations
  readonly createContext: (caller?: Caller | null, clientName?: string) => ResolverContext
  /**
   * Runs the operations of one HTTP request, which share its limits. Results among the calls stay as they
   * are. Internal errors are masked.
   */
  readonly run: (
    calls: readonly (OperationCall | ExecutionResult)[],
    context: ResolverContext,
  ) => Promise<readonly ExecutionResult[]>
  /** Runs a stored operation. Returns its data, or throws what a resolver threw. */
  readonly executeStored: <Data, V extends Variables>(
    operation: TypedDocumentNode<Data, V>,
    variables: V,
    caller?: Caller | null,
  ) => Promise<Data>
}

interface ExecutionOptions {
  readonly schema: GraphQLSchema
  readonly lookups: Lookups
  readonly observe: Observe
  /** Values that one request may ask for, over all its fields. */
  readonly maxValues: number
  /** Fields that the response to one request may have. */
  readonly maxFields: number
  /** Bytes of all texts of a response, at most. */
  readonly maxResponseBytes: number
  readonly hideSuggestions?: boolean
  readonly compileOnUse?: number
}

/** Any introspection counts as this many fields while it waits, because graphql-js resolves it slowly. */
const MIN_INTROSPECTION = 4000
/** Characters of an operation's name in metrics. */
const MAX_NAME_LENGTH = 64

export function createExecution(options: ExecutionOptions): Execution {
  const { schema, lookups, maxValues, maxFields, maxResponseBytes, observe } = options
  checkCosts(schema)
  const readOperations = createOperations(schema, options.hideSuggestions, options.compileOnUse)
  const stored = new WeakMap<DocumentNode, Operation>()

  /**
   * Charges the client, then waits while the process is overloaded. Returns undefined if there is no reason
   * to wait, because a promise would cost more than the counting. @throws LookupError
   */
  function admit(context: ResolverContext, values: number, fields: number): Promise<void> | undefined {
    if (values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
    context.values = values
    const { caller } = context
    if (caller?.charge === undefined) return caller?.enterQueue?.(fields)
    return caller.charge(values).then(() => caller.enterQueue?.(fields))
  }

  async function start(
    { operation, variables }: OperationCall,
    context: ResolverContext,
  ): Promise<ExecutionResult> {
    const { name, plan, run } = operation
    observe({
      type: 'graphql-operation',
      client: context.clientName,
      operation: shownName(name),
      fields: plan.uses,
    })
    const result = await run(context, variables)
    if (result.errors === undefined) return result
    const { data = null } = result
    const errors = result.errors.map(asInterpreted)
    if (data === null && errors.every(isBadInput)) return { errors: asBadInput(errors) }
    const shown = data === null || isOutage(errors, data, plan.lookupKeys) ? null : data
    return { errors: showErrors(errors, shown, context.caller, observe), data: shown }
  }

  const run: Execution['run'] = async (calls, context) => {
    let values = 0
    let fields = 0
    let introspection = 0
    for (const call of calls) {
      if (!('operation' in call)) continue
      values += call.cost.values
      fields += call.cost.fields
      introspection += call.operation.plan.introspection
    }
    const refuse = (error: GraphQLError) => calls.map(() => ({ errors: [error] }))
    if (introspection > MAX_INTROSPECTION)
      return refuse(requestError(tooMuchIntrospection(), 'TOO_MUCH_INTROSPECTION'))
    try {
      if (fields > maxFields) throw new LookupError('TooManyFields', [String(maxFields)])
      const waiting = introspection === 0 ? 0 : Math.max(introspection, MIN_INTROSPECTION)
      const admission = admit(context, values, fields + waiting)
      if (admission !== undefined) await admission
      const started = calls.map((call) => ('operation' in call ? start(call, context) : call))
      // Promise.all takes 0.5 us, and nearly all requests have one operation.
      const [first] = started
      const isOne = started.length === 1 && first !== undefined
      const results = isOne ? [await first] : await Promise.all(started)
      const data = results.map((result) => result.data)
      checkResponseSize(data, fields + introspection, maxResponseBytes)
      return results
    } catch (error) {
      if (error instanceof LookupError) return refuse(refusalError(error))
      throw error
    }
  }

  const executeStored: Execution['executeStored'] = async (document, variables, caller = null) => {
    const operation = stored.get(document) ?? readOperations(document)[0]
    if (operation === undefined) throw new Error('The stored document has no operation. Add one.')
    stored.set(document, operation)
    // Codegen has typed the variables, so they need no coercion.
    const { values, fields } = operation.plan.costOf(variables)
    const context = createContext(caller)
    const admission = admit(context, values, fields)
    if (admission !== undefined) await admission
    const result = await operation.run(context, variables)
    const error = result.errors?.[0]
    if (error !== undefined) throw asInterpreted(error).originalError ?? error
    return result.data as never // codegen typed this very document against this very schema
  }

  function createContext(caller: Caller | null = null, clientName = ''): ResolverContext {
    return { lookups, caller, clientName, values: 0, malformed: 0 }
  }

  return { readOperations, createContext, run, executeStored }
}

/** The name of an operation in metrics. */
function shownName(name: string | null): string {
  if (name === null) return 'unnamed'
  return name.length <= MAX_NAME_LENGTH ? name : 'other'
}
