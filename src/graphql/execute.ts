// The one way an operation runs, for requests of clients and for the stored operations of the legacy
// interface.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql'
import type { Caller } from '../caller.ts'
import { checkResponseSize } from '../data/response-size.ts'
import { LookupError } from '../errors.ts'
import type { Lookups } from '../lookups/lookups.ts'
import type { Observe } from '../observe/events.ts'
import type { RequestContext } from './builder.ts'
import { createRunner, type RunOperation } from './compiled.ts'
import { type Cost, type Plan, planOf } from './cost.ts'
import { isBadInput, isOutage, noOperation, refusalError, requestError, showErrors } from './errors.ts'
import { checkCosts } from './field-cost.ts'
import { createVariableReader, type ReadVariables } from './variables.ts'

type Variables = Readonly<Record<string, unknown>>

/** Runs a stored operation. Returns its data, or throws what a resolver threw. */
type ExecuteStored = <Data, V extends Variables>(
  operation: TypedDocumentNode<Data, V>,
  variables: V,
  caller?: Caller | null,
) => Promise<Data>

/** A document that is valid, and the operation of it that a client wants. */
export interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

export interface Execution {
  readonly createContext: (caller?: Caller | null, clientName?: string) => RequestContext
  /** Runs an operation within the limits. The errors are as clients may see them. */
  readonly run: (operation: Operation, context: RequestContext) => Promise<ExecutionResult>
  /** Runs the operations of one request. Limits and charges are those of a single operation. */
  readonly runBatch: (
    operations: readonly (Operation | ExecutionResult)[],
    context: RequestContext,
  ) => Promise<readonly ExecutionResult[]>
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
  /** The use at which an operation is compiled. Until then, graphql-js interprets it. */
  readonly compileOnUse?: number
}

interface Prepared {
  readonly name: string
  readonly plan: Plan
  readonly readVariables: ReadVariables
  readonly run: RunOperation
}

/** An operation that can run. */
interface Ready {
  readonly prepared: Prepared
  readonly variables: Variables
  readonly cost: Cost
}

/** Fields that take as long as a usual introspection: 4 ms. No limit of fields counts it. */
const INTROSPECTION_FIELDS = 4000
/** Characters of an operation's name in metrics. */
const MAX_NAME_LENGTH = 64

export function createExecution(options: ExecutionOptions): Execution {
  const { schema, lookups, maxValues, maxFields, maxResponseBytes, observe } = options
  const { compileOnUse = 3, hideSuggestions } = options
  checkCosts(schema)
  const runnerOf = createRunner(schema, compileOnUse)
  // An entry lives as long as its document. The bounded cache of documents bounds these entries, too.
  const known = new WeakMap<OperationDefinitionNode, Prepared>()

  function prepare(document: DocumentNode, operation: OperationDefinitionNode): Prepared {
    let prepared = known.get(operation)
    if (prepared === undefined) {
      const plan = planOf(schema, document, operation)
      prepared = {
        name: nameOf(operation),
        plan,
        readVariables: createVariableReader(schema, operation.variableDefinitions ?? [], hideSuggestions),
        run: runnerOf(document, operation, plan),
      }
      known.set(operation, prepared)
    }
    return prepared
  }

  function read({ document, operationName, variableValues }: Operation): Ready | ExecutionResult {
    const operation = getOperationAST(document, operationName)
    if (operation == null) return { errors: [noOperation] }
    const prepared = prepare(document, operation)
    const { coerced, errors } = prepared.readVariables(variableValues ?? {})
    if (coerced === undefined) return { errors: errors.map((error) => requestError(error, 'BAD_USER_INPUT')) }
    try {
      return { prepared, variables: coerced, cost: prepared.plan.costOf(coerced) }
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [requestError(error, 'BAD_USER_INPUT')] }
      throw error
    }
  }

  /** Checks the limits, charges the client, and waits until there is time. @throws LookupError */
  function admit(
    { values, fields }: Cost,
    introspects: boolean,
    context: RequestContext,
  ): Promise<void> | undefined {
    if (values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
    if (fields > maxFields) throw new LookupError('TooManyFields', [String(maxFields)])
    context.values = values
    return admission(context.caller, values, fields + (introspects ? INTROSPECTION_FIELDS : 0))
  }

  function start({ prepared, variables }: Ready, context: RequestContext): Promise<ExecutionResult> {
    const { name, plan } = prepared
    observe({ type: 'graphql-operation', client: context.clientName, operation: name, fields: plan.uses })
    return prepared.run(context, variables)
  }

  /** Makes of a result what clients may see of it. */
  function finish(result: ExecutionResult, { prepared }: Ready, context: RequestContext): ExecutionResult {
    const { errors, data = null } = result
    if (errors === undefined) return result
    if (data === null && errors.every(isBadInput))
      return { errors: errors.map((error) => requestError(error, 'BAD_USER_INPUT')) }
    const shown = data === null || isOutage(errors, data, prepared.plan.lookupKeys) ? null : data
    return { errors: showErrors(errors, shown, context.caller, observe), data: shown }
  }

  async function run(asked: Operation, context: RequestContext): Promise<ExecutionResult> {
    const ready = read(asked)
    if (!('prepared' in ready)) return ready
    try {
      const turn = admit(ready.cost, ready.prepared.plan.introspects, context)
      if (turn !== undefined) await turn
      const result = finish(await start(ready, context), ready, context)
      checkResponseSize(result.data, ready.cost.fields, maxResponseBytes)
      return result
    } catch (error) {
      return refused(error)
    }
  }

  const runBatch: Execution['runBatch'] = async (asked, context) => {
    const all = asked.map((one) => ('document' in one ? read(one) : one))
    const cost = { values: 0, fields: 0 }
    let introspections = 0
    for (const one of all) {
      if (!('prepared' in one)) continue
      cost.values += one.cost.values
      cost.fields += one.cost.fields
      if (one.prepared.plan.introspects) introspections++
    }
    if (introspections > 1) return all.map(() => ({ errors: [tooManyIntrospections] }))
    try {
      await admit(cost, introspections > 0, context)
      const results = await Promise.all(
        all.map(async (one) => ('prepared' in one ? finish(await start(one, context), one, context) : one)),
      )
      checkResponseSize(
        results.map(({ data }) => data),
        cost.fields,
        maxResponseBytes,
      )
      return results
    } catch (error) {
      const result = refused(error)
      return all.map(() => result)
    }
  }

  const executeStored: ExecuteStored = async (document, variables, caller = null) => {
    const operation = getOperationAST(document)
    if (operation == null) throw new Error('a stored document has one operation')
    // Codegen has typed the variables, so they need no coercion.
    const prepared = prepare(document, operation)
    const cost = prepared.plan.costOf(variables)
    if (cost.values > maxValues) throw new LookupError('TooManyValues', [String(maxValues)])
    const turn = admission(caller, cost.values, cost.fields)
    if (turn !== undefined) await turn
    const result = await prepared.run(createContext(caller), variables)
    const error = result.errors?.[0]
    if (error !== undefined) throw error.originalError ?? error
    return result.data as never // codegen typed this very document against this very schema
  }

  function createContext(caller: Caller | null = null, clientName = ''): RequestContext {
    return { lookups, caller, clientName, values: 0, malformed: 0 }
  }

  return { createContext, run, runBatch, executeStored }
}

/** @returns undefined if there is nothing to wait for: a promise would cost more than the counting */
function admission(caller: Caller | null, values: number, fields: number): Promise<void> | undefined {
  if (caller?.charge === undefined) return caller?.waitForTurn?.(fields)
  return caller.charge(values).then(() => caller.waitForTurn?.(fields))
}

/** The result of an operation that is refused as a whole. @throws any other error */
function refused(error: unknown): ExecutionResult {
  if (error instanceof LookupError) return { errors: [refusalError(error)] }
  throw error
}

const tooManyIntrospections = requestError(
  new GraphQLError('One operation of a batch can ask for the schema. Send several requests.'),
  'TOO_MUCH_INTROSPECTION',
)

/** The name of an operation in metrics. */
function nameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) return 'unnamed'
  return name.value.length <= MAX_NAME_LENGTH ? name.value : 'other'
}
