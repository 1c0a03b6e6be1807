import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
} from 'graphql'
import { type Select, type Selected, setsBelow } from './selections.ts'

type Variables = Readonly<Record<string, unknown>>

/** What an introspection field is asked within. */
interface Asked {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  /** Coerced. */
  readonly variables: Variables
  readonly select: Select
}

/**
 * Counts the fields of an answer to `__schema` or `__type`, by walking the schema as an executor would: a
 * query of 1 KB may ask for each field of each type of each field.
 * @param nodes the root field
 * @param most fields, after which it stops
 */
export function countIntrospection(
  { schema, operation, variables, select }: Asked,
  nodes: readonly FieldNode[],
  most: number,
): number {
  let count = 1
  const known = new WeakMap<readonly FieldNode[], Selected>()

  /** The fields below a field, collected once for all objects that it answers with. */
  function below(field: readonly FieldNode[]): Selected {
    const found = known.get(field) ?? select(setsBelow(field))
    known.set(field, found)
    return found
  }

  function walk(type: GraphQLObjectType, source: unknown, selected: Selected): void {
    const fields = type.getFields()
    for (const [key, field] of selected) {
      if (++count > most) return
      const fieldName = field[0]?.name.value ?? ''
      const declared = fields[fieldName]
      if (declared === undefined) continue // __typename
      const returnType = declared.type
      const named = getNamedType(returnType)
      if (!isObjectType(named)) continue
      const path = { prev: undefined, key, typename: type.name }
      const given = { schema, operation, variableValues: variables, fragments: {}, rootValue: undefined }
      const info: GraphQLResolveInfo = {
        ...given,
        ...{ fieldName, fieldNodes: field, returnType, parentType: type, path },
      }
      // Deprecated ones are counted, asked for or not.
      const answer: unknown = declared.resolve?.(source, { includeDeprecated: true }, undefined, info)
      for (const item of Array.isArray(answer) ? answer : [answer])
        if (item != null) walk(named, item, below(field))
    }
  }

  const [root] = nodes
  const selected = below(nodes)
  const type = getNamedType(SchemaMetaFieldDef.type)
  const metaType = schema.getType('__Type')
  if (root === undefined || !isObjectType(type) || !isObjectType(metaType)) return count
  if (root.name.value === '__schema') walk(type, schema, selected)
  else {
    const asked = schema.getType(nameAsked(root, variables))
    if (asked !== undefined) walk(metaType, asked, selected)
  }
  return count
}

/** The type that `__type(name: …)` asks for. */
function nameAsked({ arguments: given = [] }: FieldNode, variables: Variables): string {
  const value = given.find(({ name }) => name.value === 'name')?.value
  if (value?.kind === Kind.STRING) return value.value
  return value?.kind === Kind.VARIABLE ? String(variables[value.name.value]) : ''
}
