// Operations that are asked for often are compiled by graphql-jit; graphql-js runs the others.

import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { CompiledQuery } from 'graphql-jit'
import { factsOf } from './facts.ts'
import { createSelect, setsBelow } from './selections.ts'

type CompileQuery = typeof import('graphql-jit').compileQuery

export interface Compiled {
  /**
   * Whether it can run with these variables, coerced: it words a null that must not be there unlike
   * graphql-js.
   */
  readonly fits: (variables: Readonly<Record<string, unknown>>) => boolean
  readonly query: CompiledQuery['query']
  readonly reword: (errors: readonly GraphQLError[]) => GraphQLError[]
}

/** Fields of an operation that is compiled, its fragments spread. Compiling takes some 0.1 ms for each. */
const MAX_COMPILED_FIELDS = 200

/** Counts a use of an operation. @returns what runs it, or `null` while graphql-js has to */
export type UseCompiled = () => Compiled | null

/** Has an operation compiled when it is used for the third time, say. */
export type Compiler = (document: DocumentNode, operation: OperationDefinitionNode) => UseCompiled

/** @param onUse the use at which an operation is compiled */
export function createCompiler(schema: GraphQLSchema, onUse: number): Compiler {
  let compileQuery: CompileQuery | null = null
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

  function compile(document: DocumentNode, operation: OperationDefinitionNode): Compiled | null {
    const made = compileQuery?.(schema, document, operation.name?.value)
    // The compiler may not be able to: then it is left to graphql-js for good.
    if (made === undefined || !('query' in made)) return null
    const nullable = nullableVariables(operation)
    const fits: Compiled['fits'] = (variables) => nullable.every((name) => variables[name] !== null)
    return { fits, query: made.query, reword: createReword(document, operation) }
  }

  return (document, operation) => {
    let uses = canCompile(document, operation) ? 0 : Number.NEGATIVE_INFINITY
    let compiled: Compiled | null = null
    return () => {
      if (compiled !== null || ++uses < onUse) return compiled
      if (compileQuery === null) load()
      else {
        compiled = compile(document, operation)
        if (compiled === null) uses = Number.NEGATIVE_INFINITY
      }
      return compiled
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
 * The compiled code loses what is called `__proto__`, and puts fields under a directive in another order. Of an
 * object in the text it would lose the variables.
 * Introspection is asked for rarely, and is much to compile; so is what fragments make long.
 */
function canCompile(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  const { hasDirectives, hasObjects, namesProto, introspects, spreadFields } = factsOf(document)
  if (hasDirectives || hasObjects || namesProto || introspects) return false
  return spreadFields(operation) <= MAX_COMPILED_FIELDS
}
