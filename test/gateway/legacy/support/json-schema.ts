// Whether JSON answers are what schema/legacy.openapi.json says, by Ajv.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export type SchemaName = 'ProfileLookup' | 'AppLookup' | 'Refusal'

/** What is wrong with a value, each complaint with the place it is about. */
export type Complaints = (name: SchemaName, value: unknown) => string[]

/** @param document an OpenAPI document */
export function schemasOf(document: string): Complaints {
  const { schemas } = JSON.parse(document).components
  // OpenAPI's own format for integers, which JSON Schema does not check.
  const ajv = new Ajv2020({ allErrors: true, formats: { int64: true }, allowUnionTypes: true })
  const checks = new Map<SchemaName, ValidateFunction>()
  return (name, value) => {
    const known = checks.get(name)
    const check = known ?? ajv.compile(schemas[name])
    if (known === undefined) checks.set(name, check)
    check(value)
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
