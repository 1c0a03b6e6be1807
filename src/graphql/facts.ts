import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql'

/** What is found out about a parsed document once, however many operations it has. */
interface DocumentFacts {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Whether what it selects may depend on variables. */
  readonly hasDirectives: boolean
  /** Whether it asks for the schema. */
  readonly introspects: boolean
  /** Whether it has an object in its text: a representation of an entity. */
  readonly hasObjects: boolean
  /** Whether an alias or a variable has the name of what objects inherit from. */
  readonly namesProto: boolean
  /** Fields of an operation, each fragment spread wherever it is named, without regard to repetition. */
  readonly spreadFields: (operation: OperationDefinitionNode) => number
}

const known = new WeakMap<DocumentNode, DocumentFacts>()

export function factsOf(document: DocumentNode): DocumentFacts {
  const found = known.get(document) ?? findFacts(document)
  known.set(document, found)
  return found
}

/** Whether a field of the query type answers from the schema itself. */
export function isIntrospection(name: string): boolean {
  return name === '__schema' || name === '__type'
}

function findFacts(document: DocumentNode): DocumentFacts {
  const definitions = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
  const fragments = new Map(definitions.map((fragment) => [fragment.name.value, fragment]))
  let hasDirectives = false
  let introspects = false
  let hasObjects = false
  let namesProto = false
  visit(document, {
    Directive: () => {
      hasDirectives = true
    },
    ObjectValue: () => {
      hasObjects = true
    },
    Field: ({ name, alias }) => {
      if (isIntrospection(name.value)) introspects = true
      if (alias?.value === '__proto__') namesProto = true
    },
    Variable: ({ name }) => {
      if (name.value === '__proto__') namesProto = true
    },
  })

  const sizes = new Map<string, number>()
  function sizeOfFragment(name: string): number {
    let size = sizes.get(name)
    if (size === undefined) {
      // Of fragments in a circle, which are no valid document, each would wait for the other.
      sizes.set(name, 0)
      const fragment = fragments.get(name)
      size = fragment === undefined ? 0 : sizeOf(fragment.selectionSet)
      sizes.set(name, size)
    }
    return size
  }
  function sizeOf({ selections }: SelectionSetNode): number {
    let size = 0
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) size += sizeOfFragment(selection.name.value)
      else {
        if (selection.kind === Kind.FIELD) size++
        if (selection.selectionSet !== undefined) size += sizeOf(selection.selectionSet)
      }
    }
    return size
  }
  const spreadFields = ({ selectionSet }: OperationDefinitionNode) => sizeOf(selectionSet)
  return { fragments, hasDirectives, introspects, hasObjects, namesProto, spreadFields }
}
