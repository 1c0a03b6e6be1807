// Which fields an operation selects, once fragments are spread and conditions are known: as graphql-js
// collects them.

import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

type Variables = Readonly<Record<string, unknown>>
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The fields of one object of the response, by response key. Those that share a key are one field. */
type Selected = ReadonlyMap<string, readonly FieldNode[]>

/** The fields in selection sets that belong to one object. Each fragment is spread once, as in execution. */
export type Select = (sets: Iterable<SelectionSetNode>) => Selected

/** @param variables coerced; `null` selects whatever the conditions are */
export function createSelect(fragments: Fragments, variables: Variables | null): Select {
  return (sets) => {
    const selected = new Map<string, FieldNode[]>()
    const spread = new Set<string>()
    const add = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (variables !== null && !isIncluded(selection, variables)) continue
        if (selection.kind === Kind.FIELD) {
          const key = selection.alias?.value ?? selection.name.value
          const nodes = selected.get(key)
          if (nodes === undefined) selected.set(key, [selection])
          else nodes.push(selection)
        } else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet)
        else {
          const fragment = fragments.get(selection.name.value)
          if (fragment === undefined || spread.has(fragment.name.value)) continue
          spread.add(fragment.name.value)
          add(fragment.selectionSet)
        }
      }
    }
    for (const set of sets) add(set)
    return selected
  }
}

/** The condition under which each directive leaves a selection out. */
const excludes: ReadonlyMap<string, boolean> = new Map([
  ['skip', true],
  ['include', false],
])

/** Whether a selection is asked for. A condition that is neither true nor false fails the request later. */
function isIncluded({ directives = [] }: SelectionNode, variables: Variables): boolean {
  return directives.every((directive) => {
    const excluding = excludes.get(directive.name.value)
    return excluding === undefined || conditionOf(directive, variables) !== excluding
  })
}

function conditionOf({ arguments: given = [] }: DirectiveNode, variables: Variables): unknown {
  const value = given.find(({ name }) => name.value === 'if')?.value
  if (value?.kind === Kind.BOOLEAN) return value.value
  return value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined
}

/** The selection sets below fields that share a response key. */
export function setsBelow(nodes: readonly FieldNode[]): readonly SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
}
