// The cost of fields. Each field declares its cost; the gateway checks the declarations when it starts.

import {
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql'

/** Costs beyond the field itself, for each object that has the field. */
export interface FieldCost {
  /** The argument that lists the values to look up. The response has an item for each of them. */
  readonly list?: string
  /** Values that the field looks up, if no argument lists them. */
  readonly values?: number
  /** The most items of a list, if no argument says how many. */
  readonly items?: number
}

type FieldDefinition = GraphQLField<unknown, unknown>

/** The cost of a field without a declaration. */
export const oneField: FieldCost = {}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    cost?: FieldCost
  }
}

/** The lists of an introspection have about so many items: some 20 types of five fields. */
const introspectionLists: Readonly<Record<string, number>> = {
  types: 20,
  directives: 5,
  fields: 5,
  args: 2,
  enumValues: 5,
  possibleTypes: 2,
}

/** @param type the name of the type that has the field */
export function costOf({ name, extensions }: FieldDefinition, type: string): FieldCost {
  if (!type.startsWith('__')) return extensions.cost ?? oneField
  const items = introspectionLists[name]
  return items === undefined ? oneField : { items }
}

/** Checks that no list can pass the limits without being counted. @throws Error */
export function checkCosts(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || !(isObjectType(type) || isInterfaceType(type))) continue
    for (const field of Object.values(type.getFields())) {
      const { list, items } = costOf(field, type.name)
      const isDeclared = items !== undefined || field.args.some((argument) => argument.name === list)
      if (isListType(getNullableType(field.type)) && !isDeclared)
        throw new Error(`${type.name}.${field.name} is a list. Declare how many items it can have.`)
    }
  }
}

/** The definition of a field; `undefined` for `__typename`, which costs one field. */
export function definitionOf(
  schema: GraphQLSchema,
  typeName: string,
  name: string,
): FieldDefinition | undefined {
  if (name === '__schema') return SchemaMetaFieldDef
  if (name === '__type') return TypeMetaFieldDef
  const type = schema.getType(typeName)
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
}
