// What runs an operation: graphql-js at first, and code that graphql-jit compiled once it is used often.

import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  execute as interpret,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'
import type { RequestContext } from './builder.ts'
import { factsOf } from './facts.ts'
import { createSelect, setsBelow } from './selections.ts'

type Variables = Readonly<Record<string, unknown>>

/**
 * Runs one operation, however it is done.
 * @param given the variables as the client sent them, where they are not coerced already
 */
export type RunOperation = (
  context: RequestContext,
  coerced: Variables,
  given?: Variables,
) => Promise<ExecutionResult>

interface Compiled {
  readonly query: CompiledQuery['query']
  /** Variables that may be null. A null is left to graphql-js: graphql-jit words its errors otherwise. */
  readonly nullable: readonly string[]
  readonly reword: (errors: readonly GraphQLError[]) => GraphQLError[]
}

/** Fields of an operation that is compiled, its fragments spread. Compiling takes some 0.1 ms for each. */
const MAX_COMPILED_FIELDS = 200

/** @param onUse the use at which an operation is compiled */
export function createRunner(schema: GraphQLSchema, onUse: number) {
  let compileQuery: typeof import('graphql-jit').compileQuery | null = null
  let loading = false

  // It takes some 50 ms to load: not before the first answers, and not twice.
  function load(): void {
    if (loading) return
    loading = true
    import('graphql-jit').then(
      (jit) => {
        compileQuery = jit.compileQuery
      },
      () => {
        loading = false // graphql-js answers meanwhile
      },
    )
  }

  return (document: DocumentNode, operation: OperationDefinitionNode): RunOperation => {
    const operationName = operation.name?.value
    let uses = canCompile(document, operation) ? 0 : Number.NEGATIVE_INFINITY
    let compiled: Compiled | null = null

    function compile(): void {
      const made = compileQuery?.(schema, document, operationName)
      if (made !== undefined && 'query' in made) {
        const nullable = nullableVariables(operation)
        compiled = { query: made.query, nullable, reword: createReword(document, operation) }
      } else {
        // graphql-jit cannot compile it: graphql-js runs it for good.
        uses = Number.NEGATIVE_INFINITY
      }
    }

    return async (contextValue, coerced, given = coerced) => {
      if (compiled === null && ++uses >= onUse) {
        if (compileQuery === null) load()
        else compile()
      }
      if (compiled?.nullable.every((name) => coerced[name] !== null) !== true)
        return interpret({ schema, document, operationName, variableValues: given, contextValue })
      const result = await compiled.query(undefined, contextValue, coerced)
      return result.errors === undefined ? result : { ...result, errors: compiled.reword(result.errors) }
    }
  }
}

function nullableVariables({ variableDefinitions = [] }: OperationDefinitionNode): string[] {
  const nullable = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
  return nullable.map(({ variable }) => variable.name.value)
}

/** Makes of the compiler's errors what graphql-js would have made of them. */
function createReword(document: DocumentNode, { selectionSet }: OperationDefinitionNode) {
  const select = createSelect(factsOf(document).fragments, {})
  const known = new Map<string, readonly FieldNode[]>()

  function nodesAt(path: readonly (string | number)[]): readonly FieldNode[] {
    const keys = path.filter((key) => typeof key === 'string')
    const place = keys.join('.')
    let nodes = known.get(place)
    if (nodes === undefined) {
      let sets: readonly SelectionSetNode[] = [selectionSet]
      for (const key of keys) {
        nodes = select(sets).get(key) ?? []
        sets = setsBelow(nodes)
      }
      known.set(place, nodes ?? [])
    }
    return nodes ?? []
  }

  return (errors: readonly GraphQLError[]): GraphQLError[] =>
    errors.map(({ message, path = [], originalError }) => {
      // Without one, it was a value that its type does not have: no fault of the client.
      const origin = originalError ?? new TypeError(message)
      return new GraphQLError(message, { nodes: nodesAt(path), path, originalError: origin })
    })
}

/** Fields that may be compiled of a document: all its operations together. */
export function compiledFields(document: DocumentNode): number {
  let fields = 0
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION && canCompile(document, definition))
      fields += factsOf(document).spreadFields(definition)
  return fields
}

/**
 * The compiled code loses what is called `__proto__`, and the variables in an object of the text. It puts
 * fields under a directive in another order.
 * Introspection is asked for rarely, and is much to compile; so is what fragments make long.
 */
function canCompile(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const { hasDirectives, hasObjects, namesProto, introspects, spreadFields } = factsOf(document)
  if (hasDirectives || hasObjects || namesProto || introspects) return false
  return spreadFields(operation) <= MAX_COMPILED_FIELDS
}
