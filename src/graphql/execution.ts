// The one way an operation runs, whoever asks: Yoga's requests and the facade's stored operations alike.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  execute as interpret,
  type OperationDefinitionNode,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'
import type { Lookups } from '../loaders/lookups.ts'
import type { RequestContext } from './builder.ts'

type Result = ExecutionResult | Promise<ExecutionResult>
type Compile = typeof import('graphql-jit').compileQuery

/** Runs a stored operation: its data, or what a resolver threw. */
type ExecuteStored = <Data, Variables extends Readonly<Record<string, unknown>>>(
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>

export interface Execution {
  /** A fresh context, with the whole allowance of values. */
  readonly createContext: () => RequestContext
  /** Runs a parsed and validated document. */
  readonly run: (args: ExecutionArgs) => Result
  readonly executeStored: ExecuteStored
}

interface ExecutionOptions {
  readonly schema: GraphQLSchema
  readonly lookups: Lookups
  /** How many values one request may ask for, over all its fields. */
  readonly maxValues: number
  /** A document is compiled when it is used this many times; until then graphql-js interprets it. */
  readonly compileOnUse?: number
}

interface Prepared {
  uses: number
  query: CompiledQuery['query'] | null
}

export function createExecution({
  schema,
  lookups,
  maxValues,
  compileOnUse = 3,
}: ExecutionOptions): Execution {
  // A compiled operation lives as long as the parsed document it belongs to. Yoga's bounded document cache holds
  // those of clients, so a stream of distinct queries is neither compiled nor kept.
  const prepared = new WeakMap<OperationDefinitionNode, Prepared>()
  let compile: Compile | null = null
  let _loading: Promise<void> | null = null

  function prepare(operation: OperationDefinitionNode): Prepared {
    const known = prepared.get(operation)
    if (known !== undefined) return known
    const fresh = { uses: 0, query: null }
    prepared.set(operation, fresh)
    return fresh
  }

  function compileIfDue(
    operation: Prepared,
    document: DocumentNode,
    operationName: string | undefined,
  ): void {
    if (operation.query !== null || ++operation.uses < compileOnUse) return
    if (compile === null) {
      _loading ??= import('graphql-jit').then((jit) => {
        compile = jit.compileQuery
      })
      return
    }
    const compiled = compile(schema, document, operationName)
    if ('query' in compiled) operation.query = compiled.query
    else operation.uses = Number.NEGATIVE_INFINITY // the compiler cannot do it: interpret it for good
  }

  function run(args: ExecutionArgs): Result {
    const node = getOperationAST(args.document, args.operationName)
    // graphql-js words the error for a missing or ambiguous operation name.
    if (node == null) return interpret({ ...args, schema })
    const operation = prepare(node)
    compileIfDue(operation, args.document, args.operationName ?? undefined)
    if (operation.query === null) return interpret({ ...args, schema })
    return operation.query(args.rootValue, args.contextValue, args.variableValues ?? {})
  }

  const createContext = (): RequestContext => ({ lookups, valuesLeft: maxValues, maxValues })

  const executeStored: ExecuteStored = async (operation, variables) => {
    const result = await run({
      schema,
      document: operation,
      contextValue: createContext(),
      variableValues: variables,
    })
    const error = result.errors?.[0]
    if (error !== undefined) throw error.originalError ?? error
    return result.data as never // codegen typed this very document against this very schema
  }

  return { createContext, run, executeStored }
}
