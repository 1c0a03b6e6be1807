// The cost of fields. Each field declares its cost; the gateway checks the declarations when it starts.

import {
  type GraphQLFieldMap,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql'

/** The cost of a field, for each object with the field. Without a declaration, the cost is one field. */
export interface FieldCost {
  /** The argument that lists the values to look up. The response has an item for each of them. */
  readonly list?: string
  /** Values that the field looks up, if no argument lists them. */
  readonly values?: number
  /** The most items of a list, if no argument says how many. */
  readonly items?: number
}

export const itself: FieldCost = {}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    cost?: FieldCost
  }
}

/** Declares the cost of a field, as its `extensions`. */
export const cost = (declared: FieldCost): { readonly cost: FieldCost } => ({ cost: declared })

/** Checks that no list can pass the limits without being counted. @throws Error */
export function checkCosts(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue
    for (const [name, field] of Object.entries(fieldsOf(schema, type.name) ?? {})) {
      const { list, items } = field.extensions.cost ?? {}
      const isDeclared = items !== undefined || field.args.some((argument) => argument.name === list)
      if (isListType(getNullableType(field.type)) && !isDeclared)
        throw new Error(`${type.name}.${name} is a list. Declare how many items it can have.`)
    }
  }
}

export function fieldsOf(schema: GraphQLSchema, name: string): GraphQLFieldMap<unknown, unknown> | undefined {
  const type = schema.getType(name)
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : undefined
}
