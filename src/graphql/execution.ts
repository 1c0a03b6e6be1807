// The one way an operation runs, whoever asks: Yoga's requests and the facade's stored operations alike.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  execute as interpret,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'
import type { Caller } from '../caller.ts'
import { LookupError } from '../errors.ts'
import type { Lookups } from '../loaders/lookups.ts'
import type { RequestContext } from './builder.ts'
import { createVariableReader, type ReadVariables } from './variables.ts'

type Result = ExecutionResult | Promise<ExecutionResult>
type Compile = typeof import('graphql-jit').compileQuery

/** Runs a stored operation: its data, or what a resolver threw. */
type ExecuteStored = <Data, V extends Variables>(
  operation: TypedDocumentNode<Data, V>,
  variables: V,
  caller?: Caller | null,
) => Promise<Data>

export interface Execution {
  /** A fresh context, with the whole allowance of values. */
  readonly createContext: (caller?: Caller | null) => RequestContext
  /** Runs a parsed and validated document for whoever waits for it. */
  readonly run: (args: OperationArgs) => Result
  readonly executeStored: ExecuteStored
}

/** What graphql-js takes, with the context that is ours. */
type OperationArgs = ExecutionArgs & { readonly contextValue: RequestContext }

interface ExecutionOptions {
  readonly schema: GraphQLSchema
  readonly lookups: Lookups
  /** How many values one request may ask for, over all its fields. */
  readonly maxValues: number
  /** A document is compiled when it is used this many times; until then graphql-js interprets it. */
  readonly compileOnUse?: number
}

type Variables = Readonly<Record<string, unknown>>

/** So many uses that it never becomes worth compiling. */
const NEVER = Number.NEGATIVE_INFINITY

interface Prepared {
  uses: number
  compiled: Compiled | null
}

interface Compiled {
  readonly query: CompiledQuery['query']
  readonly readVariables: ReadVariables
}

export function createExecution({
  schema,
  lookups,
  maxValues,
  compileOnUse = 3,
}: ExecutionOptions): Execution {
  // A compiled operation lives as long as the parsed document it belongs to. The bounded caches of documents hold
  // those of clients, so a stream of distinct queries is neither compiled nor kept.
  const prepared = new WeakMap<OperationDefinitionNode, Prepared>()
  let compile: Compile | null = null
  let loading = false

  // A request that fails is asked again, here or by Yoga, for the sake of the wording. If it was because of an outage,
  // it is not made to wait for that again.
  const outages = new WeakMap<Caller, Lookups>()

  const createContext = (caller: Caller | null = null): RequestContext => ({
    lookups: (caller === null ? undefined : outages.get(caller)) ?? lookups,
    caller,
    valuesLeft: maxValues,
    maxValues,
  })

  function noteOutage(result: ExecutionResult, { caller }: RequestContext): ExecutionResult {
    const outage = result.errors?.find(isOutage)?.originalError
    if (outage != null && caller !== null) {
      const fail = () => Promise.reject(outage)
      outages.set(caller, { findUsers: fail, findApps: fail })
    }
    return result
  }

  // It takes some 50 ms to load: not before the first answers, and not twice.
  function loadCompiler(): void {
    if (loading) return
    loading = true
    import('graphql-jit').then(
      (jit) => {
        compile = jit.compileQuery
      },
      () => {
        loading = false // graphql-js answers meanwhile
      },
    )
  }

  function prepare(operation: OperationDefinitionNode, document: DocumentNode): Prepared {
    const known = prepared.get(operation)
    if (known !== undefined) return known
    const fresh = { uses: canCompile(document) ? 0 : NEVER, compiled: null }
    prepared.set(operation, fresh)
    return fresh
  }

  function compileIfDue(
    operation: Prepared,
    node: OperationDefinitionNode,
    document: DocumentNode,
    operationName: string | undefined,
  ): void {
    if (operation.compiled !== null || ++operation.uses < compileOnUse) return
    if (compile === null) {
      loadCompiler()
      return
    }
    const compiled = compile(schema, document, operationName)
    if ('query' in compiled) {
      const readVariables = createVariableReader(schema, node.variableDefinitions ?? [])
      operation.compiled = { query: compiled.query, readVariables }
    } else operation.uses = NEVER // the compiler cannot do it: interpret it for good
  }

  /** The compiled query, where there is one by now. */
  function compiledFor({ document, operationName }: ExecutionArgs): Compiled | null {
    const node = getOperationAST(document, operationName)
    // graphql-js words the error for a missing or ambiguous operation name.
    if (node == null) return null
    const operation = prepare(node, document)
    compileIfDue(operation, node, document, operationName ?? undefined)
    return operation.compiled
  }

  function run(args: OperationArgs): Result {
    const compiled = compiledFor(args)
    if (compiled === null) return runInterpreted(args)
    // The compiler knows no default of a required variable, and words errors differently: graphql-js is asked again
    // where anything is wrong. Lookups have no side effects.
    const variables = compiled.readVariables(args.variableValues ?? {})
    return variables === undefined ? runInterpreted(args) : runCompiled(compiled, args, variables)
  }

  async function runInterpreted(args: OperationArgs): Promise<ExecutionResult> {
    return noteOutage(await interpret({ ...args, schema }), args.contextValue)
  }

  async function runCompiled(
    { query }: Compiled,
    args: OperationArgs,
    variables: Variables,
  ): Promise<ExecutionResult> {
    const result = await query(args.rootValue, args.contextValue, variables)
    if (result.errors === undefined) return result
    noteOutage(result, args.contextValue)
    return interpret({ ...args, schema, contextValue: createContext(args.contextValue.caller) })
  }

  const executeStored: ExecuteStored = async (operation, variables, caller = null) => {
    const contextValue = createContext(caller)
    const args = { schema, document: operation, contextValue, variableValues: variables }
    const compiled = compiledFor(args)
    // The variables are our own, and typed by codegen: there is nothing to read.
    const result = await (compiled === null
      ? interpret(args)
      : compiled.query(undefined, args.contextValue, variables))
    const error = result.errors?.[0]
    if (error !== undefined) throw error.originalError ?? error
    return result.data as never // codegen typed this very document against this very schema
  }

  return { createContext, run, executeStored }
}

function isOutage({ originalError }: GraphQLError): boolean {
  return originalError instanceof LookupError && originalError.retryAfter !== undefined
}

// The compiled code loses an alias `__proto__`, and puts fields under a directive in another order.
function canCompile(document: DocumentNode): boolean {
  let plain = true
  visit(document, {
    Directive: () => {
      plain = false
    },
    Field: ({ alias }) => {
      if (alias?.value === '__proto__') plain = false
    },
  })
  return plain
}
